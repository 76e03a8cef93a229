import { type Kysely, sql } from 'kysely';
import { account, addOptional, addWithDefault, createTable, primaryKey, text, unique } from './schema.ts';

/** Adds the members of a workspace, invitations, service accounts, protected labels, and the authors of changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'memberships', [
    account('workspace_id'),
    account('account_id'),
    text('role', 'created_at', 'updated_at'),
    primaryKey('memberships_pk', 'workspace_id', 'account_id'),
  ]);
  await sql`create index memberships_by_account on memberships (account_id, workspace_id)`.execute(db);

  await createTable(db, 'invitations', [
    account('workspace_id'),
    text('id', 'email', 'role'),
    unique('token_digest'),
    text('invited_by', 'invited_by_name', 'created_at', 'expires_at'),
    primaryKey('invitations_pk', 'workspace_id', 'id'),
    (table) => table.addUniqueConstraint('invitations_email', ['workspace_id', 'email']),
  ]);
  await sql`create index invitations_by_expiry on invitations (expires_at)`.execute(db);

  await addOptional(db, 'accounts', ['home_workspace_id']);
  await addWithDefault(db, 'accounts', { name: 'protected_labels', type: 'text', value: '[]' });
  await sql`create index accounts_by_home on accounts (home_workspace_id) where home_workspace_id is not null`.execute(db);

  for (const table of ['prompt_events', 'prompt_versions', 'account_events']) await addOptional(db, table, ['by_account_id', 'by_name']);
  await addOptional(db, 'prompt_versions', ['by_via']);
  await addOptional(db, 'account_events', ['detail']);
}
