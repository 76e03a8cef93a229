import { type Kysely, sql } from 'kysely';

/** Where a workspace's events are sent to, what is sent, and the queues of what is still to be sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('events', 'text')
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('secret_cipher', 'text', (column) => column.notNull())
    .addColumn('previous_secret_cipher', 'text')
    .addColumn('previous_secret_until', 'text')
    .addColumn('disabled_at', 'text')
    .addColumn('disabled_reason', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('webhooks_pk', ['account_id', 'id'])
    .execute();

  // In the row that every write locks anyway, so that workspaces without webhooks pay nothing for them.
  await db.schema
    .alterTable('accounts')
    .addColumn('enabled_webhooks', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();

  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('queue', 'text')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('attempts', 'text', (column) => column.notNull())
    .addColumn('next_attempt_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_deliveries_pk', ['account_id', 'webhook_id', 'revision'])
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_waiting')
    .on('webhook_deliveries')
    .columns(['account_id', 'webhook_id', 'queue', 'revision'])
    .where(sql.ref('queue'), 'is not', null)
    .execute();
  await db.schema.createIndex('webhook_deliveries_by_age').on('webhook_deliveries').column('created_at').execute();

  await db.schema
    .createTable('webhook_queues')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('queue', 'text', (column) => column.notNull())
    .addColumn('last_revision', 'bigint', (column) => column.notNull())
    .addColumn('next_at', 'text', (column) => column.notNull())
    .addColumn('lease', 'text')
    .addPrimaryKeyConstraint('webhook_queues_pk', ['account_id', 'webhook_id', 'queue'])
    .execute();
  await db.schema.createIndex('webhook_queues_due').on('webhook_queues').columns(['account_id', 'webhook_id', 'next_at']).execute();
}
