import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { deleteBatch } from '../delete-batch.ts';
import { findPrompts, removePrompts } from '../prompts/remove-prompts.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

/** The tables in which one account may have very many rows, other than the tables of prompts. */
const largeTables = [
  'sessions',
  'events',
  'webhook_fan_outs',
  'webhook_queues',
  'webhook_deliveries',
  'prompt_runs',
  'prompt_checks',
  'prompt_cases',
  'prompt_candidates',
  'comments',
  'proposals',
  'proposal_reviews',
  'account_events',
] as const;

/** Finds a deleted account whose rows are not removed yet. */
export async function findDeletedAccount(db: Kysely<Database>): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where((eb) => eb.or([eb('key_digest', '<>', removedDigest), eb.not(eb.exists(homeOf(eb)))]))
    .orderBy('deleted_at')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** This text replaces the key digest of a service account whose other rows are removed. */
const removedDigest = sql<string>`'removed:' || accounts.id`;

/** Selects the workspace of a service account, unless the workspace is deleted. */
function homeOf({ selectFrom }: Pick<ExpressionBuilder<Database, 'accounts'>, 'selectFrom'>) {
  const workspaces = selectFrom('accounts as workspaces').select('workspaces.id').where('workspaces.deleted_at', 'is', null);
  return workspaces.whereRef('workspaces.id', '=', 'accounts.home_workspace_id');
}

/**
 * Removes a batch of the rows of a deleted account. The last batch removes the account itself, with the few rows that foreign keys delete.
 * The row of a service account is kept for as long as its workspace exists, because the row says who had the key, and these people must not
 * approve what the service account wrote. Call this until it returns true.
 */
export async function removeAccount(db: Kysely<Database>, accountId: string): Promise<boolean> {
  const account = await db.selectFrom('accounts').select('deleted_at').where('id', '=', accountId).executeTakeFirst();
  if (!account?.deleted_at) return true;
  for (const table of largeTables) {
    if ((await deleteBatch(db, table, sql`account_id = ${accountId}`)) > 0) return false;
  }
  const prompts = await findPrompts(db, accountId);
  if (prompts.promptIds.length > 0) {
    await runTransaction(db, (transaction) => removePrompts(transaction, prompts));
    return false;
  }
  await db
    .updateTable('accounts')
    .set({ key_digest: removedDigest })
    .where('id', '=', accountId)
    .where((eb) => eb.exists(homeOf(eb)))
    .execute();
  await db.deleteFrom('accounts').where('id', '=', accountId).where('key_digest', '<>', removedDigest).execute();
  return true;
}
