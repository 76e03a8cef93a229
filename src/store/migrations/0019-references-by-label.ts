import { type Kysely, sql } from 'kysely';

/** Adds an index by label, because thousands of prompts may include a prompt at one label while it changes at another label. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index prompt_references_by_label on prompt_references (account_id, name, label, prompt_id)`.execute(db);
}
