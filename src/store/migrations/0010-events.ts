import { type Kysely, sql } from 'kysely';
import { account, bigint, createTable, optional, primaryKey, text } from './schema.ts';

/** Creates the outbox of streams and webhooks: the events of a workspace, in the order of its revisions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'events', [
    account(),
    bigint('revision'),
    text('type', 'at'),
    optional('by_account_id', 'by_name', 'by_via', 'prompt_id', 'prompt_name'),
    text('detail'),
    primaryKey('events_pk', 'account_id', 'revision'),
  ]);
  await sql`create index events_by_age on events (at)`.execute(db);
}
