import { type Kysely, sql } from 'kysely';

/** Members of a workspace and invitations to it, service accounts, protected labels, and who made a change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memberships')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('memberships_pk', ['workspace_id', 'account_id'])
    .execute();
  await db.schema.createIndex('memberships_by_account').on('memberships').columns(['account_id', 'workspace_id']).execute();

  await db.schema
    .createTable('invitations')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('token_digest', 'text', (column) => column.notNull().unique())
    .addColumn('invited_by', 'text', (column) => column.notNull())
    .addColumn('invited_by_name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('invitations_pk', ['workspace_id', 'id'])
    .addUniqueConstraint('invitations_email', ['workspace_id', 'email'])
    .execute();
  await db.schema.createIndex('invitations_by_expiry').on('invitations').column('expires_at').execute();

  await db.schema.alterTable('accounts').addColumn('home_workspace_id', 'text').execute();
  await db.schema
    .alterTable('accounts')
    .addColumn('protected_labels', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
  await db.schema
    .createIndex('accounts_by_home')
    .on('accounts')
    .column('home_workspace_id')
    .where(sql.ref('home_workspace_id'), 'is not', null)
    .execute();

  for (const table of ['prompt_events', 'prompt_versions', 'account_events']) {
    await db.schema.alterTable(table).addColumn('by_account_id', 'text').execute();
    await db.schema.alterTable(table).addColumn('by_name', 'text').execute();
  }
  await db.schema.alterTable('prompt_versions').addColumn('by_via', 'text').execute();
  await db.schema.alterTable('account_events').addColumn('detail', 'text').execute();
}
