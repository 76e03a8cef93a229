import type { Kysely } from 'kysely';

/** The addresses that accounts signed in from, and a record of deleted accounts, which outlives their other rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_in_addresses')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('sign_in_addresses_pk', ['account_id', 'address'])
    .execute();

  await db.schema
    .createTable('deleted_accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('deleted_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('deleted_accounts_by_age').on('deleted_accounts').column('deleted_at').execute();
}
