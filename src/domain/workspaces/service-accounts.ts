import type { CreatedServiceAccount, NewServiceAccount } from '../../contract/members.ts';
import { AppError } from '../../errors.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { reservedEmail } from '../accounts/emails.ts';
import { makeKey } from '../accounts/keys.ts';
import { getName } from '../accounts/names.ts';
import { type Actor, type Client, toPerson } from '../actor.ts';
import { newId, toStorable } from '../ids.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { addMemberEvent, changeWorkspace, recordInWorkspace } from './change-workspace.ts';

/** Creates an account for a program. The account belongs to the actor's workspace. Only this response contains the account's key. */
export async function createServiceAccount(
  ctx: WithKeyring & WithAudit,
  actor: Actor,
  { role, client, ...input }: NewServiceAccount & { client: Client },
): Promise<CreatedServiceAccount> {
  const name = getName(input.name);
  const { workspaceId } = actor;
  const userId = newId('u');
  const { token, stored } = makeKey(ctx, userId);
  await changeWorkspace(ctx, actor, 'admin', async (stores) => {
    await stores.assertMemberQuota();
    await stores.serviceAccounts.insert({
      id: userId,
      workspaceId,
      createdBy: actor.accountId,
      name,
      email: reservedEmail(userId),
      ...stored,
    });
    await stores.memberships.put(workspaceId, userId, role);
    await addMemberEvent(stores, actor, { type: 'member.added', member: { userId, name, role } });
  });
  recordInWorkspace(ctx, actor, { type: 'service_account_created', detail: { userId, name, role }, client });
  return { userId, name, role, token };
}

/** Replaces the key of a service account, even if the old key is lost. The old key stops working before the response. */
export async function resetServiceAccountKey(
  ctx: WithKeyring & WithAudit,
  actor: Actor,
  { userId, client }: { userId: string; client: Client },
): Promise<string> {
  const { token, stored } = makeKey(ctx, userId);
  const name = await changeWorkspace(ctx, actor, 'admin', async (stores) => {
    const changed = await stores.serviceAccounts.replaceKey(actor.workspaceId, toStorable(userId), { next: stored, by: actor.accountId });
    if (changed !== undefined) {
      const detail = JSON.stringify({ member: { userId, name: changed } });
      stores.events.add({ type: 'key.reset', at: new Date().toISOString(), by: toPerson(actor), prompt: null, detail });
    }
    return changed;
  });
  if (name === undefined) throw new AppError('member_not_found', { text: 'The workspace has no such service account' });
  recordInWorkspace(ctx, actor, { type: 'service_account_key_reset', detail: { userId, name }, client });
  return token;
}
