import { type Kysely, sql } from 'kysely';
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
    .orderBy('deleted_at')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/**
 * Removes a batch of the rows of a deleted account. The last batch removes the account itself, with the few rows that foreign keys delete.
 * Call this until it returns true.
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
  await db.deleteFrom('accounts').where('id', '=', accountId).execute();
  return true;
}
