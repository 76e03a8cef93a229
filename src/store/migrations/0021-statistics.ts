import { type Kysely, sql } from 'kysely';

/** Adds an index for reading the error causes of one prompt. The embedded engine moves the tables of statistics into a separate file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index render_errors_by_prompt on render_errors (account_id, prompt_id, time)`.execute(db);
}
