import type { Kysely } from 'kysely';
import { account, bigint, createTable, primaryKey, text } from './schema.ts';

/** Creates the table of large changes whose events still have to be added to the queues of webhooks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const key = primaryKey('webhook_fan_outs_pk', 'account_id', 'last_revision');
  await createTable(db, 'webhook_fan_outs', [account(), bigint('last_revision', 'next_revision'), text('webhooks'), key]);
}
