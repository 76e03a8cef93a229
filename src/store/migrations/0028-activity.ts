import { type Kysely, sql } from 'kysely';

/** Adds indexes for reading the history of all prompts of a workspace by time, and for deleting old and excess entries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The last columns of the index are the columns that every filter reads, so that entries that do not match are skipped without reading
  // their rows.
  await sql`create index prompt_events_by_id on prompt_events (account_id, id, prompt_id, type, by_account_id)`.execute(db);
  await sql`create index account_events_by_type on account_events (account_id, type, id)`.execute(db);
  // The index leaves out label moves, because they are kept regardless of their age.
  await sql`create index prompt_events_by_age on prompt_events (at) where not (type = 'label_moved')`.execute(db);
}
