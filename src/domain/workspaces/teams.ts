import { maxMemberships, maxOwnedTeams } from '../../contract/limits.ts';
import type { Member } from '../../contract/members.ts';
import type { Workspace } from '../../contract/workspaces.ts';
import { AppError } from '../../errors.ts';
import { isTeam } from '../../store/accounts/team-ids.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { reservedEmail } from '../accounts/emails.ts';
import { getName } from '../accounts/names.ts';
import { assertPerson } from '../accounts/own-account.ts';
import { removeSoon, type WithRemoval } from '../accounts/remove-accounts.ts';
import { confirmIdentity, type Proof, type WithIdentity } from '../accounts/sign-in.ts';
import { type Actor, type Client, credentialOf, toPerson } from '../actor.ts';
import { newId, toStorable } from '../ids.ts';
import type { WithMail } from '../mail/mail.ts';
import { addMemberEvent, changeWorkspace, describeWorkspace, recordInWorkspace } from './change-workspace.ts';
import { inWorkspace } from './workspaces.ts';

/** Creates a workspace that belongs to no account. The actor owns it until somebody else does. */
export async function createTeam(
  ctx: WithAudit & WithMail,
  actor: Actor,
  { client, ...input }: { name: string; client: Client },
): Promise<Workspace> {
  assertPerson(actor);
  const name = getName(input.name);
  await assertVerified(ctx, actor);
  if ((await ctx.store.memberships.countOf(actor.accountId)) >= maxMemberships) {
    throw new AppError('quota_exceeded', { text: `An account can be a member of at most ${maxMemberships} workspaces` });
  }
  const id = newId('w');
  await ctx.store.insertTeam({ id, name, email: reservedEmail(id) }, credentialOf(actor));
  const workspace = { id, name };
  recordInWorkspace(ctx, inWorkspace(actor, id), { type: 'workspace_created', detail: { name }, client });
  ctx.audit({ type: 'team_created', accountId: actor.accountId, client, by: toPerson(actor), detail: { workspace } });
  return { ...workspace, kind: 'team', shared: true, role: 'owner', owner: { name: actor.name, email: actor.email } };
}

/** Makes another member the owner of a team workspace. The actor stays in it as an admin. */
export async function transferTeam(
  ctx: WithAudit & WithIdentity,
  actor: Actor,
  { id, userId, ...proof }: Proof & { id: string; userId: string },
): Promise<void> {
  const { client } = proof;
  assertTeam(id);
  await confirmIdentity(ctx, actor, proof);
  const workspaceActor = inWorkspace(actor, id);
  const { next, workspace } = await changeWorkspace(ctx, workspaceActor, 'owner', async (stores) => {
    const next = await stores.memberships.find(id, toStorable(userId));
    if (!next || next.userId === actor.accountId) throw new AppError('member_not_found');
    if (next.homeWorkspaceId !== null) throw new AppError('forbidden', { text: 'A service account cannot own a workspace' });
    if ((await stores.memberships.listOwned(userId)).length >= maxOwnedTeams) {
      throw new AppError('quota_exceeded', {
        text: `${next.name} already owns ${maxOwnedTeams} team workspaces, the most an account can own`,
      });
    }
    // In this order, because a workspace never has two owners.
    await stores.memberships.put(id, actor.accountId, 'admin');
    await stores.memberships.put(id, userId, 'owner').catch(asMissingMember);
    const [former, member] = [
      { userId: actor.accountId, name: actor.name, role: 'admin' as const },
      { userId, name: next.name, role: 'owner' as const },
    ];
    await addMemberEvent(stores, workspaceActor, { type: 'member.changed', member: former, previousRole: 'owner' });
    await addMemberEvent(stores, workspaceActor, { type: 'member.changed', member, previousRole: next.role });
    return { next, workspace: await describeWorkspace(stores, id) };
  });
  const change = { role: 'owner', previousRole: next.role } as const;
  recordInWorkspace(ctx, workspaceActor, { type: 'workspace_transferred', detail: { userId, name: next.name, ...change }, client });
  ctx.audit({ type: 'role_changed', accountId: userId, by: toPerson(actor), detail: { workspace, ...change } });
  const former = { workspace, role: 'admin', previousRole: 'owner' } as const;
  ctx.audit({ type: 'role_changed', accountId: actor.accountId, client, by: toPerson(actor), detail: former });
}

/** Deletes a team workspace with everything in it. Its members lose access and its service accounts lose their keys with the response. */
export async function deleteTeam(ctx: WithIdentity & WithRemoval, actor: Actor, { id, ...proof }: Proof & { id: string }): Promise<void> {
  const { client } = proof;
  assertTeam(id);
  await confirmIdentity(ctx, actor, proof);
  const { members, deleted, workspace } = await changeWorkspace(ctx, inWorkspace(actor, id), 'owner', async (stores) => {
    const members = await stores.memberships.list(id, { afterId: '', limit: maxNotified });
    const workspace = await describeWorkspace(stores, id);
    return { members, workspace, deleted: await stores.deleteWorkspace() };
  });
  const by = toPerson(actor);
  const people: Pick<Member, 'userId'>[] = members.filter(({ homeWorkspaceId }) => homeWorkspaceId === null);
  for (const { userId } of [...people, { userId: actor.accountId }]) {
    ctx.audit({ type: 'team_deleted', accountId: userId, by, detail: { workspace }, ...(userId === actor.accountId && { client }) });
  }
  for (const accountId of deleted) ctx.audit({ type: 'account_deleted', accountId, client });
  removeSoon(ctx, deleted);
}

/** The maximum number of members whose activity shows that the workspace was deleted. */
const maxNotified = 1000;

/**
 * Throws if email is configured and the actor's address is not verified. A stranger may have registered the address, and the first proof of
 * its owner ends the access of others to the account's own workspace, but not to its teams.
 */
async function assertVerified(ctx: WithAudit & WithMail, { accountId }: Actor): Promise<void> {
  if (!ctx.mailer.isConfigured) return;
  const profile = await ctx.store.accounts.findProfile(accountId);
  if (!profile?.emailVerified) throw new AppError('email_not_verified');
}

function assertTeam(id: string): void {
  if (!isTeam(id)) throw new AppError('not_a_team');
}

/** The account was deleted in the meantime, and its membership with it. */
function asMissingMember(err: unknown): never {
  throw err instanceof AppError && err.code === 'unauthorized' ? new AppError('member_not_found') : err;
}
