import type { Kysely } from 'kysely';

/** What happened in a workspace, in the order of its revisions: the outbox of streams and webhooks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('events')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('by_account_id', 'text')
    .addColumn('by_name', 'text')
    .addColumn('by_via', 'text')
    .addColumn('prompt_id', 'text')
    .addColumn('prompt_name', 'text')
    .addColumn('detail', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('events_pk', ['account_id', 'revision'])
    .execute();
  await db.schema.createIndex('events_by_age').on('events').column('at').execute();
}
