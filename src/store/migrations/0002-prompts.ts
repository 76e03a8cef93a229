import { type Kysely, sql } from 'kysely';
import { account, createTable, integer, ofPrompt, ofVersion, optional, primaryKey, text } from './schema.ts';

/**
 * Creates the tables of prompts, versions, labels, tags and history. Every key starts with the account, so that a distributed database can
 * use it as the distribution column.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'prompts', [
    account(),
    text('id', 'name', 'search_name', 'type', 'description', 'search_description'),
    integer('latest_version'),
    text('created_at', 'updated_at'),
    optional('deleted_at'),
    primaryKey('prompts_pk', 'account_id', 'id'),
  ]);
  // The index covers only prompts outside the bin, because the name of a deleted prompt can be used again.
  await sql`create unique index prompts_by_name on prompts (account_id, name) where deleted_at is null`.execute(db);
  await sql`create index prompts_by_update on prompts (account_id, updated_at, id) where deleted_at is null`.execute(db);
  await sql`create index prompts_in_bin on prompts (account_id, deleted_at, id) where deleted_at is not null`.execute(db);
  await sql`create index prompts_to_empty on prompts (deleted_at) where deleted_at is not null`.execute(db);

  await createTable(db, 'prompt_versions', [
    text('account_id', 'prompt_id'),
    integer('version'),
    text('content', 'config', 'variables', 'partials', 'message', 'created_at'),
    primaryKey('prompt_versions_pk', 'account_id', 'prompt_id', 'version'),
    ofPrompt('prompt_versions_prompt'),
  ]);

  await createTable(db, 'prompt_labels', [
    text('account_id', 'prompt_id', 'label'),
    integer('version'),
    primaryKey('prompt_labels_pk', 'account_id', 'prompt_id', 'label'),
    ofVersion('prompt_labels_version'),
  ]);
  await sql`create index prompt_labels_by_label on prompt_labels (account_id, label, prompt_id)`.execute(db);

  await createTable(db, 'prompt_tags', [
    text('account_id', 'prompt_id', 'tag'),
    primaryKey('prompt_tags_pk', 'account_id', 'prompt_id', 'tag'),
    ofPrompt('prompt_tags_prompt'),
  ]);
  await sql`create index prompt_tags_by_tag on prompt_tags (account_id, tag, prompt_id)`.execute(db);

  await createTable(db, 'prompt_events', [
    text('account_id', 'prompt_id', 'id', 'type', 'detail', 'by', 'at'),
    primaryKey('prompt_events_pk', 'account_id', 'prompt_id', 'id'),
    ofPrompt('prompt_events_prompt'),
  ]);
}
