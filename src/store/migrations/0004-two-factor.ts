import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** The second factor of an account and the codes that stand in for a lost authenticator. */
export async function up(db: Kysely<Database>): Promise<void> {
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
