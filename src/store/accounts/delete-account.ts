import { type Kysely, sql, type Transaction } from 'kysely';
import { insertRows } from '../insert-rows.ts';
import type { Database } from '../tables.ts';
import { endMemberships } from '../workspaces/memberships.ts';

/** The tables whose rows are removed immediately when an account is deleted. An account has only a few rows in each of these tables. */
const ownTables = [
  'sessions',
  'identities',
  'two_factors',
  'recovery_codes',
  'sign_in_addresses',
  'webhooks',
  'model_connections',
] as const;

/**
 * Deletes an account and its workspace. Returns the ids of all deleted accounts: the account's own id and those of its service accounts.
 * Returns an empty list if there is no such account.
 */
export async function deleteAccount(transaction: Transaction<Database>, id: string): Promise<string[]> {
  // The account is erased first. The row lock makes concurrent changes to the workspace wait, and they then find the account deleted.
  const erased = await erase(transaction).where('id', '=', id).execute();
  if (erased.length === 0) return [];
  await deleteLinks(transaction, id);
  for (const table of ownTables) await transaction.deleteFrom(table).where('account_id', '=', id).execute();
  await recordDeletions(transaction, erased);
  await endMemberships(transaction, id);

  const serviceAccounts = await eraseServiceAccounts(transaction, { workspaceId: id });
  for (const table of ['memberships', 'invitations'] as const) {
    await transaction.deleteFrom(table).where('workspace_id', '=', id).execute();
  }
  return [id, ...serviceAccounts];
}

/** Deletes all service accounts of a workspace, or only the given one. Returns the ids of the deleted accounts. */
export async function eraseServiceAccounts(
  db: Kysely<Database>,
  { workspaceId, id }: { workspaceId: string; id?: string },
): Promise<string[]> {
  let query = erase(db).where('home_workspace_id', '=', workspaceId);
  if (id !== undefined) query = query.where('id', '=', id);
  const erased = await query.execute();
  await recordDeletions(db, erased);
  const deleted = db.selectFrom('accounts').select('id').where('home_workspace_id', '=', workspaceId).where('deleted_at', 'is not', null);
  await db.deleteFrom('memberships').where('account_id', 'in', deleted).execute();
  return erased.map((account) => account.id);
}

/**
 * Deletes the links of these kinds that were emailed to an account, by default the links of all kinds. Returns whether there were any
 * links.
 */
export async function deleteLinks(db: Kysely<Database>, id: string, kinds: readonly LinkKind[] = linkKinds): Promise<boolean> {
  const identifiers = kinds.map((kind) => linkIdentifier(kind, id));
  const result = await db.deleteFrom('verifications').where('identifier', 'in', identifiers).executeTakeFirstOrThrow();
  return result.numDeletedRows > 0n;
}

const linkKinds = ['reset-password', 'verify-email', 'change-email'] as const;
export type LinkKind = (typeof linkKinds)[number];

/** Returns the `identifier` of an account's links in `verifications`. */
export function linkIdentifier(kind: LinkKind, accountId: string): string {
  return `${kind}:${accountId}`;
}

/** Erases all data with which an account could be found or used. */
function erase(db: Kysely<Database>) {
  const now = new Date().toISOString();
  // Both columns are unique. No email address and no digest of a key has this form.
  const gone = sql<string>`'deleted:' || id`;
  return db
    .updateTable('accounts')
    .set({ email: gone, name: '', password_hash: '', key_digest: gone, key_cipher: '', updated_at: now, deleted_at: now })
    .where('deleted_at', 'is', null)
    .returning(['id', 'deleted_at']);
}

async function recordDeletions(db: Kysely<Database>, erased: { id: string; deleted_at: string | null }[]): Promise<void> {
  const rows = erased.map(({ id, deleted_at }) => ({ id, deleted_at: deleted_at ?? '' }));
  await insertRows(db, 'deleted_accounts', rows);
}
