import type { Kysely } from 'kysely';

/** Connections to servers that run models. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('model_connections')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('base_url', 'text', (column) => column.notNull())
    .addColumn('models', 'text', (column) => column.notNull())
    .addColumn('prices', 'text', (column) => column.notNull())
    .addColumn('key_cipher', 'text')
    .addColumn('key_hint', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('model_connections_pk', ['account_id', 'id'])
    .execute();
  await db.schema.createIndex('model_connections_by_name').on('model_connections').columns(['account_id', 'name']).unique().execute();
}
