import { type Kysely, sql } from 'kysely';
import { account, bigint, createTable, primaryKey, text } from './schema.ts';

/**
 * Creates the table of the causes of failed renders, by hour or day like the other statistics. `name` is empty if the error has no name.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const key = primaryKey('render_errors_pk', 'account_id', 'time', 'prompt_id', 'code', 'name');
  await createTable(db, 'render_errors', [account(), text('time', 'prompt_id', 'code', 'name'), bigint('calls'), key]);
  await sql`create index render_errors_by_time on render_errors (time, account_id)`.execute(db);
}
