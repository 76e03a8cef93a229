import { type Kysely, sql } from 'kysely';

/** Adds an index by name, because a bin may contain thousands of prompts, and a prompt is restored by its name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index prompts_in_bin_by_name on prompts (account_id, name, deleted_at, id) where deleted_at is not null`.execute(db);
}
