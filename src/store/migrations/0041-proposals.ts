import { type Kysely, sql } from 'kysely';
import { account, addOptional, addWithDefault, createTable, optional, primaryKey, text } from './schema.ts';

/**
 * Adds proposals with their reviews, the rules of labels that require them, and the content digests of check runs, with which the check
 * runs of a candidate count for its version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'proposals', [
    account(),
    text('id', 'state', 'changes', 'message', 'reviewers', 'opened_at', 'opened_by', 'updated_at'),
    optional('apply_at', 'problem', 'ended_at', 'ended_by', 'result'),
    primaryKey('proposals_pk', 'account_id', 'id'),
  ]);
  await sql`create index proposals_by_state on proposals (account_id, state, id)`.execute(db);
  await sql`create index proposals_scheduled on proposals (apply_at) where state = 'open' and apply_at is not null`.execute(db);
  await sql`create index proposals_open_by_age on proposals (updated_at) where state = 'open'`.execute(db);

  await createTable(db, 'proposal_reviews', [
    account(),
    text('proposal_id', 'id', 'user_id', 'by', 'verdict', 'text', 'revision', 'at'),
    primaryKey('proposal_reviews_pk', 'account_id', 'proposal_id', 'id'),
  ]);

  // Like the other rules of labels, these are stored in the row that every write locks anyway.
  await addWithDefault(db, 'accounts', { name: 'label_rules', type: 'text', value: '{}' });
  await addOptional(db, 'prompt_checks', ['content_digest']);
}
