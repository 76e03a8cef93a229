import type { Transaction } from 'kysely';
import type { MemberRole, Role } from '../../contract/roles.ts';
import { createOutbox, type EventRecord } from '../events/events.ts';
import { deletePersonal } from '../prompts/personal.ts';
import type { Database } from '../tables.ts';
import { deleteLinks, eraseServiceAccounts } from './delete-account.ts';
import { nextKeyColumns, type StoredKey } from './key-digest.ts';
import { nextRevision } from './revision.ts';

/** The first proof that the person who uses an account owns its email address. */
export interface FirstProof {
  accountId: string;
  /**
   * How the address was proved. `mail` stands for a link that was sent only to the address. `invitation` stands for a link that the person
   * who invites also sees. An invitation link does not verify the address, so a later proof by `mail` counts as the first proof again.
   */
  by: 'mail' | 'invitation';
  /** The key that replaces the account's key. */
  nextKey: StoredKey;
  /** The provider of the session in which the address is proved. The account keeps its identity at this provider. */
  keptIssuer?: string | undefined;
}

/** The access that a first proof revoked, in addition to the account's key and sessions. */
export interface EndedAccess {
  hadTwoFactor: boolean;
  /** The names of the passkeys. */
  passkeys: string[];
  members: { userId: string; name: string; role: Role; isService: boolean }[];
  invitations: { email: string; role: MemberRole }[];
  webhooks: { id: string; url: string }[];
}

const endedWebhookReason =
  'It was added before the workspace owner’s email address was verified. Check its URL, rotate its secret, then enable it again';

/** The tables whose rows give access or make it easier to guess a password. */
const ownTables = ['sessions', 'two_factors', 'recovery_codes', 'sign_in_addresses'] as const;

/**
 * Revokes everything that could give someone else access to an account, because a stranger may have registered the address. If this is not
 * the first proof, changes nothing and returns undefined. Run this in the transaction that uses the link.
 */
export async function endEarlierAccess(
  transaction: Transaction<Database>,
  { accountId, by, nextKey, keptIssuer = '' }: FirstProof,
): Promise<EndedAccess | undefined> {
  const now = new Date().toISOString();
  let update = transaction
    .updateTable('accounts')
    .set((eb) => ({
      ...(by === 'mail' ? { email_verified_at: now } : { invited_at: now }),
      ...nextKeyColumns(nextKey, now),
      enabled_webhooks: 0,
      ...nextRevision(eb),
    }))
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('email_verified_at', 'is', null);
  if (by === 'invitation') update = update.where('invited_at', 'is', null);
  // This update must come first, because it locks the row. Concurrent changes to the account or its workspace have either committed before,
  // or fail afterwards.
  const raised = await update.returning(['revision', 'revision_salt as salt']).executeTakeFirst();
  if (!raised) return undefined;

  const twoFactor = await transaction
    .selectFrom('two_factors')
    .select('confirmed_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const passkeys = await transaction.deleteFrom('passkeys').where('account_id', '=', accountId).returning('name').execute();
  for (const table of ownTables) await transaction.deleteFrom(table).where('account_id', '=', accountId).execute();
  await transaction.deleteFrom('identities').where('account_id', '=', accountId).where('issuer', '<>', keptIssuer).execute();
  await deleteLinks(transaction, accountId);
  const ended = {
    hadTwoFactor: Boolean(twoFactor?.confirmed_at),
    passkeys: passkeys.map(({ name }) => name),
    members: await removeMembers(transaction, accountId),
    invitations: await transaction.deleteFrom('invitations').where('workspace_id', '=', accountId).returning(['email', 'role']).execute(),
    webhooks: await transaction
      .updateTable('webhooks')
      .set({ disabled_at: now, disabled_reason: endedWebhookReason, updated_at: now })
      .where('account_id', '=', accountId)
      .where('disabled_at', 'is', null)
      .returning(['id', 'url'])
      .execute(),
  };
  await addEvents(transaction, { accountId, raised, now, ended });
  return ended;
}

async function removeMembers(transaction: Transaction<Database>, workspaceId: string): Promise<EndedAccess['members']> {
  const members = await transaction
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['accounts.id as userId', 'accounts.name', 'accounts.home_workspace_id as home', 'memberships.role'])
    .where('memberships.workspace_id', '=', workspaceId)
    .execute();
  await eraseServiceAccounts(transaction, { workspaceId });
  await transaction.deleteFrom('memberships').where('workspace_id', '=', workspaceId).execute();
  await deletePersonal(transaction, { workspaceId });
  return members.map(({ home, ...member }) => ({ ...member, isService: home !== null }));
}

/** Adds events for the readers of the workspace's event streams. Webhooks receive no events, because they are disabled. */
async function addEvents(
  transaction: Transaction<Database>,
  { accountId, raised, now, ended }: { accountId: string; raised: { revision: number; salt: number }; now: string; ended: EndedAccess },
): Promise<void> {
  const outbox = createOutbox(accountId, { ...raised, enabledWebhooks: 0 });
  const add = (type: EventRecord['type'], detail: object) =>
    outbox.add({ type, at: now, by: null, prompt: null, detail: JSON.stringify(detail) });
  add('key.reset', {});
  for (const { userId, name, role } of ended.members) add('member.removed', { member: { userId, name, role } });
  await outbox.finish(transaction);
}
