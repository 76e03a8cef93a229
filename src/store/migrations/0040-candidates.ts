import type { Kysely } from 'kysely';
import { createTable, integer, ofPrompt, primaryKey, text } from './schema.ts';

/** Adds candidates: content that people work on before it becomes a version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'prompt_candidates', [
    text('account_id', 'prompt_id', 'id', 'title'),
    integer('revision', 'base_version', 'bytes'),
    text(
      'created_at',
      'created_by',
      'changed_at',
      'changed_by',
      'authors',
      'message',
      'syntax',
      'config',
      'variables',
      'partials',
      'content',
    ),
    primaryKey('prompt_candidates_pk', 'account_id', 'prompt_id', 'id'),
    ofPrompt('prompt_candidates_prompt'),
  ]);
}
