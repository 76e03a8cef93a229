import { type Kysely, sql } from 'kysely';
import { createTable, integer, ofPrompt, primaryKey, text } from './schema.ts';

/** Adds the alerts that a version has worse results than the version before it, so that each alert is sent only once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'result_alerts', [
    text('account_id', 'prompt_id', 'label'),
    integer('version'),
    text('metric', 'at'),
    primaryKey('result_alerts_pk', 'account_id', 'prompt_id', 'label', 'version', 'metric'),
    ofPrompt('result_alerts_prompt'),
  ]);
  await sql`create index result_alerts_by_age on result_alerts (at)`.execute(db);
}
