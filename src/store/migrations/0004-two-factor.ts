import type { Kysely } from 'kysely';

/** Authenticators of accounts and the recovery codes that replace a lost one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('two_factors')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
    .addColumn('secret_cipher', 'text', (column) => column.notNull())
    .addColumn('confirmed_at', 'text')
    .addColumn('last_step', 'integer', (column) => column.notNull())
    .addColumn('codes_created_at', 'text')
    .execute();

  await db.schema
    .createTable('recovery_codes')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('code_digest', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_pk', ['account_id', 'code_digest'])
    .execute();
}
