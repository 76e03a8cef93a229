import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** Prompts. The account comes first in every key of a tenant's table, so that it can be the distribution column. */
export async function up(db: Kysely<Database>): Promise<void> {
  await db.schema
    .createTable('prompts')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompts_pk', ['account_id', 'id'])
    .addUniqueConstraint('prompts_by_name', ['account_id', 'name'])
    .execute();
}
