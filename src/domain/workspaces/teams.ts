import { maxOwnedTeams } from '../../contract/limits.ts';
import type { Member } from '../../contract/members.ts';
import type { ServicePerson } from '../../contract/people.ts';
import type { Role } from '../../contract/roles.ts';
import type { Workspace } from '../../contract/workspaces.ts';
import { AppError } from '../../errors.ts';
import { isTeam } from '../../store/accounts/team-ids.ts';
import type { WorkspaceStores } from '../../store/bound-stores.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { reservedEmail } from '../accounts/emails.ts';
import { getName } from '../accounts/names.ts';
import { assertPerson } from '../accounts/own-account.ts';
import { removeSoon, type WithRemoval } from '../accounts/remove-accounts.ts';
import { confirmIdentity, type Proof, type WithIdentity } from '../accounts/sign-in.ts';
import { type Actor, type Client, credentialOf, toPerson } from '../actor.ts';
import { newId, toStorable } from '../ids.ts';
import type { WithMail } from '../mail/mail.ts';
import { addNotification, mailNotification, type StoredNotification } from '../notifications/notify.ts';
import { changeWorkspace, describeWorkspace, recordInWorkspace } from './change-workspace.ts';
import { mailFormerOwner } from './owner-mails.ts';
import { inWorkspace } from './workspaces.ts';

/** Creates a workspace that belongs to no account. The actor owns it until it is transferred. */
export async function createTeam(
  ctx: WithAudit & WithMail,
  actor: Actor,
  { client, ...input }: { name: string; client: Client },
): Promise<Workspace> {
  assertPerson(actor);
  const name = getName(input.name);
  await assertVerified(ctx, actor);
  const id = newId('w');
  await ctx.store.insertTeam({ id, name, email: reservedEmail(id) }, credentialOf(actor));
  const workspace = { id, name };
  recordInWorkspace(ctx, inWorkspace(actor, id), { type: 'workspace_created', detail: { name }, client });
  ctx.audit({ type: 'team_created', accountId: actor.accountId, client, by: toPerson(actor), detail: { workspace } });
  return { ...workspace, kind: 'team', shared: true, role: 'owner', owner: { name: actor.name, email: actor.email } };
}

/** Makes another member the owner of a team workspace. The actor remains in the workspace as an admin. Both people are notified. */
export async function transferTeam(
  ctx: WithAudit & WithIdentity & WithMail,
  actor: Actor,
  { id, userId, ...proof }: Proof & { id: string; userId: string },
): Promise<void> {
  const { client } = proof;
  assertTeam(id);
  await confirmIdentity(ctx, actor, proof);
  const workspaceActor = inWorkspace(actor, id);
  // Only the accounts of members are locked, so that nobody can delay the requests of accounts outside the workspace.
  const held = (await ctx.store.memberships.find(id, toStorable(userId))) ? [userId] : [];
  const transfer = async (stores: WorkspaceStores) => {
    const next = await stores.memberships.find(id, toStorable(userId));
    if (!next || next.userId === actor.accountId) throw new AppError('member_not_found');
    if (next.homeWorkspaceId !== null) throw new AppError('forbidden', { text: 'A service account cannot own a workspace' });
    const former = { userId: actor.accountId, name: actor.name };
    return { next, ...(await changeOwner(stores, { id, former, next, previousRole: next.role, by: toPerson(actor) })) };
  };
  const { next, workspace, notification } = await changeWorkspace(ctx, workspaceActor, 'owner', transfer, held);
  const change = { role: 'owner', previousRole: next.role } as const;
  recordInWorkspace(ctx, workspaceActor, { type: 'workspace_transferred', detail: { userId, name: next.name, ...change }, client });
  ctx.audit({ type: 'role_changed', accountId: userId, by: toPerson(actor), detail: { workspace, ...change } });
  const former = { workspace, role: 'admin', previousRole: 'owner' } as const;
  ctx.audit({ type: 'role_changed', accountId: actor.accountId, client, by: toPerson(actor), detail: former });
  mailNotification(ctx, notification);
  mailFormerOwner(ctx, { workspace, formerId: actor.accountId, ownerName: next.name });
}

interface OwnerChange {
  id: string;
  former: { userId: string; name: string };
  next: { userId: string; name: string };
  /** The previous role of the new owner. Undefined if the new owner was not a member before. */
  previousRole: Role | undefined;
  /** The person who transfers the workspace. Null if the operator transfers it. */
  by: ServicePerson | null;
}

/**
 * Changes the owner, inside a transaction that has locked the account of the new owner, so that the limit of owned workspaces cannot be
 * exceeded. Returns the workspace and the new owner's notification.
 */
export async function changeOwner(
  stores: WorkspaceStores,
  { id, former, next, previousRole, by }: OwnerChange,
): Promise<{ workspace: { id: string; name: string }; notification: StoredNotification }> {
  if ((await stores.memberships.listOwned(next.userId)).length >= maxOwnedTeams) {
    throw new AppError('quota_exceeded', {
      text: `${next.name} already owns ${maxOwnedTeams} team workspaces, the most an account can own`,
    });
  }
  // The former owner is demoted first, because a workspace never has two owners.
  await stores.memberships.put(id, former.userId, 'admin');
  await stores.memberships.put(id, next.userId, 'owner').catch(asMissingMember);
  const add = (type: 'member.added' | 'member.changed', detail: object) =>
    stores.events.add({ type, at: new Date().toISOString(), by, prompt: null, detail: JSON.stringify(detail) });
  add('member.changed', { member: { ...former, role: 'admin' }, previousRole: 'owner' });
  const member = { userId: next.userId, name: next.name, role: 'owner' };
  if (previousRole === undefined) add('member.added', { member });
  else add('member.changed', { member, previousRole });
  const workspace = await describeWorkspace(stores, id);
  const recipients = [next.userId];
  const transfer = { kind: 'workspace_transferred', workspace, by: by ?? undefined, recipients } as const;
  return { workspace, notification: await addNotification(stores, transfer) };
}

/**
 * Deletes a team workspace with everything in it. By the time of the response, its members have no access and the keys of its service
 * accounts do not work anymore.
 */
export async function deleteTeam(
  ctx: WithIdentity & WithRemoval & WithMail,
  actor: Actor,
  { id, ...proof }: Proof & { id: string },
): Promise<void> {
  const { client } = proof;
  assertTeam(id);
  await confirmIdentity(ctx, actor, proof);
  const deletion = await changeWorkspace(ctx, inWorkspace(actor, id), 'owner', (stores) => eraseTeam(stores, id, toPerson(actor)));
  finishDeletion(ctx, deletion, { by: toPerson(actor), client, ownerId: actor.accountId });
}

type Deletion = Awaited<ReturnType<typeof eraseTeam>>;

/** Deletes a team workspace, inside a transaction. Returns the data for `finishDeletion`. */
export async function eraseTeam(stores: WorkspaceStores, id: string, by?: ServicePerson) {
  const members = await stores.memberships.list(id, { afterId: '', limit: maxNotified });
  const workspace = await describeWorkspace(stores, id);
  const recipients = members.map(({ userId }) => userId);
  const notification = await addNotification(stores, { kind: 'removed', workspace, by, detail: { isDeleted: true }, recipients });
  return { members, workspace, notification, deleted: await stores.deleteWorkspace() };
}

/** Informs the members of a deleted workspace in their activity and by email. Removes the rows of the workspace. */
export function finishDeletion(
  ctx: WithRemoval & WithMail,
  { members, workspace, notification, deleted }: Deletion,
  { ownerId, by, client }: { ownerId: string; by?: ServicePerson; client?: Client },
): void {
  const people: Pick<Member, 'userId'>[] = members.filter(({ homeWorkspaceId }) => homeWorkspaceId === null);
  for (const { userId } of [...people, { userId: ownerId }]) {
    const origin = { ...(by && { by }), ...(client && userId === ownerId && { client }) };
    ctx.audit({ type: 'team_deleted', accountId: userId, detail: { workspace }, ...origin });
  }
  for (const accountId of deleted) ctx.audit({ type: 'account_deleted', accountId, ...(client && { client }) });
  mailNotification(ctx, notification);
  removeSoon(ctx, deleted);
}

/** The maximum number of members whose activity shows that the workspace was deleted. */
const maxNotified = 1000;

/**
 * Throws if email is configured and the actor's address is not verified. A stranger may have registered the address. When the owner of the
 * address proves it for the first time, other people lose access to the account's own workspace, but they would keep access to its teams.
 */
async function assertVerified(ctx: WithAudit & WithMail, { accountId }: Actor): Promise<void> {
  if (!ctx.mailer.isConfigured) return;
  const profile = await ctx.store.accounts.findProfile(accountId);
  if (!profile?.emailVerified) throw new AppError('email_not_verified');
}

export function assertTeam(id: string): void {
  if (!isTeam(id)) throw new AppError('not_a_team');
}

/** Converts the error for an account that was deleted in the meantime, together with its membership. */
function asMissingMember(err: unknown): never {
  throw err instanceof AppError && err.code === 'unauthorized' ? new AppError('member_not_found') : err;
}
