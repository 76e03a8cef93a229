import type { Kysely } from 'kysely';

/** The history of all prompts of a workspace by age, so that the oldest entries beyond a number are found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('prompt_events_by_workspace').on('prompt_events').columns(['account_id', 'id']).execute();
}
