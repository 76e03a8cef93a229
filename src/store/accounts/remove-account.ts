import { type Kysely, type RawBuilder, sql } from 'kysely';
import { deleteBatch } from '../delete-batch.ts';
import { runBatchRows } from '../models/prune.ts';
import { findPrompts, removePrompts } from '../prompts/remove-prompts.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

type RemoveBatch = (db: Kysely<Database>, where: RawBuilder<unknown>) => Promise<number>;

const promptRowKey: ['account_id', 'prompt_id', 'id'] = ['account_id', 'prompt_id', 'id'];

/** The tables in which one account may have very many rows, besides those of its prompts. */
const largeTables: RemoveBatch[] = [
  (db, where) => deleteBatch(db, { table: 'sessions', key: ['id'], where }),
  (db, where) => deleteBatch(db, { table: 'events', key: ['account_id', 'revision'], where }),
  (db, where) => deleteBatch(db, { table: 'webhook_fan_outs', key: ['account_id', 'last_revision'], where }),
  (db, where) => deleteBatch(db, { table: 'webhook_queues', key: ['account_id', 'webhook_id', 'queue'], where }),
  (db, where) => deleteBatch(db, { table: 'webhook_deliveries', key: ['account_id', 'webhook_id', 'revision'], where }),
  (db, where) => deleteBatch(db, { table: 'prompt_runs', key: promptRowKey, where, limit: runBatchRows }),
  (db, where) => deleteBatch(db, { table: 'prompt_checks', key: promptRowKey, where, limit: runBatchRows }),
  (db, where) => deleteBatch(db, { table: 'prompt_cases', key: promptRowKey, where, limit: runBatchRows }),
  (db, where) => deleteBatch(db, { table: 'account_events', key: ['account_id', 'id'], where }),
];

/** A deleted account whose rows are not removed yet. */
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
 * Removes a bounded part of the rows of a deleted account, and in the end the account itself, with the few rows that foreign keys
 * still delete. Call it until it returns true.
 */
export async function removeAccount(db: Kysely<Database>, accountId: string): Promise<boolean> {
  const account = await db.selectFrom('accounts').select('deleted_at').where('id', '=', accountId).executeTakeFirst();
  if (!account?.deleted_at) return true;
  for (const removeBatch of largeTables) {
    if ((await removeBatch(db, sql`account_id = ${accountId}`)) > 0) return false;
  }
  const prompts = await findPrompts(db, accountId);
  if (prompts.promptIds.length > 0) {
    await runTransaction(db, (transaction) => removePrompts(transaction, prompts));
    return false;
  }
  await db.deleteFrom('accounts').where('id', '=', accountId).execute();
  return true;
}
