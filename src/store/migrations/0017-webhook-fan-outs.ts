import type { Kysely } from 'kysely';

/** Events of a large change that still are to be put into the queues of webhooks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_fan_outs')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('last_revision', 'bigint', (column) => column.notNull())
    .addColumn('next_revision', 'bigint', (column) => column.notNull())
    .addColumn('webhooks', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_fan_outs_pk', ['account_id', 'last_revision'])
    .execute();
}
