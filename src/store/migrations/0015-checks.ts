import { type Kysely, sql } from 'kysely';
import { account, addWithDefault, createTable, integer, primaryKey, text } from './schema.ts';

/** Adds test cases, check runs, and gated labels, which require passing checks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'prompt_cases', [
    account(),
    text('prompt_id', 'id', 'digest'),
    integer('bytes'),
    text('name', 'created_at', 'updated_at', 'content'),
    primaryKey('prompt_cases_pk', 'account_id', 'prompt_id', 'id'),
  ]);

  await createTable(db, 'prompt_checks', [
    account(),
    text('prompt_id', 'id'),
    integer('version', 'has_passed'),
    text('cases_digest'),
    integer('bytes'),
    text('created_at', 'summary', 'detail'),
    primaryKey('prompt_checks_pk', 'account_id', 'prompt_id', 'id'),
  ]);
  await sql`create index prompt_checks_by_workspace on prompt_checks (account_id, id, bytes)`.execute(db);
  await sql`create index prompt_checks_by_version on prompt_checks (account_id, prompt_id, version, id)`.execute(db);

  // Like the protected labels, the gated labels are stored in the row that every write locks anyway.
  await addWithDefault(db, 'accounts', { name: 'gated_labels', type: 'text', value: '[]' });
}
