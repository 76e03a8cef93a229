import { type Kysely, sql } from 'kysely';
import { account, createTable, ofPrompt, primaryKey, text } from './schema.ts';

/** Adds favorites and saved views, with which people find prompts again, and an index that finds the authors of versions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'favorites', [
    text('account_id'),
    account('user_id'),
    text('prompt_id', 'created_at'),
    primaryKey('favorites_pk', 'account_id', 'user_id', 'prompt_id'),
    ofPrompt('favorites_prompt'),
  ]);
  // These indexes are for deleting a prompt and an account. Without them, each deletion would scan the table.
  await sql`create index favorites_by_prompt on favorites (account_id, prompt_id)`.execute(db);
  await sql`create index favorites_by_user on favorites (user_id)`.execute(db);

  await createTable(db, 'saved_views', [
    account(),
    account('user_id'),
    text('id', 'name', 'filters', 'created_at', 'updated_at'),
    primaryKey('saved_views_pk', 'account_id', 'user_id', 'id'),
  ]);
  await sql`create index saved_views_by_user on saved_views (user_id)`.execute(db);

  // The index contains the author, because the rows themselves begin with the content, which may be large.
  await sql`create index prompt_versions_by_author on prompt_versions (account_id, by_account_id, prompt_id, version)`.execute(db);
}
