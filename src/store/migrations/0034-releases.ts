import { type Kysely, sql } from 'kysely';
import { createTable, integer, ofPrompt, optional, primaryKey, text } from './schema.ts';

/** Adds releases. A label has at most one row, which stays when the release has ended, until the next release replaces it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'releases', [
    text('account_id', 'prompt_id', 'label', 'id', 'state'),
    optional('cause'),
    text('split', 'plan'),
    integer('stage'),
    text('started_at', 'started_by', 'changed_at'),
    optional('ended_at'),
    primaryKey('releases_pk', 'account_id', 'prompt_id', 'label'),
    ofPrompt('releases_prompt'),
  ]);
  await sql`create index releases_running on releases (account_id, id) where state = 'running'`.execute(db);
}
