import { type Kysely, sql } from 'kysely';
import { account, createTable, ofPrompt, optional, primaryKey, text } from './schema.ts';

/** Adds comments on proposals, versions and candidates. Comments that were stored as reviews of proposals become comments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'comments', [
    account(),
    text('id', 'thread_id', 'user_id', 'by', 'at', 'text', 'mentions'),
    optional('proposal_id', 'prompt_id', 'candidate_id', 'part', 'quote', 'edited_at', 'deleted_at', 'resolved_at', 'resolved_by'),
    (table) => table.addColumn('version', 'integer').addColumn('line', 'integer'),
    primaryKey('comments_pk', 'account_id', 'id'),
    ofPrompt('comments_prompt'),
  ]);
  await sql`create index comments_by_thread on comments (account_id, thread_id, id)`.execute(db);
  await sql`create index comments_by_prompt on comments (account_id, prompt_id, thread_id, id) where prompt_id is not null`.execute(db);
  await sql`create index comments_by_proposal on comments (account_id, proposal_id, thread_id, id) where proposal_id is not null`.execute(
    db,
  );
  await sql`insert into comments (account_id, id, thread_id, proposal_id, user_id, "by", at, text, mentions)
    select account_id, id, id, proposal_id, user_id, "by", at, text, '[]' from proposal_reviews where verdict = 'comment'`.execute(db);
  await sql`delete from proposal_reviews where verdict = 'comment'`.execute(db);
}
