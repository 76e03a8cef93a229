import { type Kysely, sql } from 'kysely';

/** The causes of errors of one prompt are read by this index. The embedded engine moves the tables of statistics into a file of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index render_errors_by_prompt on render_errors (account_id, prompt_id, time)`.execute(db);
}
