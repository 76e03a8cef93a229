import { type Kysely, sql } from 'kysely';
import { createTable, integer, ofPrompt, primaryKey, sortedByKey, storePlain, text } from './schema.ts';

/**
 * Adds the texts that searches compare: the name and description of each prompt as version 0, and its newest and labeled versions. The
 * service adds the texts of the versions of existing prompts in the background.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'prompt_texts', [
    text('account_id', 'prompt_id'),
    integer('version'),
    text('text'),
    primaryKey('prompt_texts_pk', 'account_id', 'prompt_id', 'version'),
    ofPrompt('prompt_texts_prompt'),
    sortedByKey(db),
  ]);
  await storePlain(db, 'prompt_texts', 'text');
  await sql`insert into prompt_texts (account_id, prompt_id, version, text)
    select account_id, id, 0, search_name || ${sql.lit('\u0001')} || search_description from prompts`.execute(db);
}
