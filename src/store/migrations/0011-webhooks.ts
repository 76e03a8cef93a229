import { type Kysely, sql } from 'kysely';
import { account, addWithDefault, bigint, createTable, integer, optional, primaryKey, text } from './schema.ts';

/** Creates the tables of webhooks, their deliveries, and the queues of pending deliveries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'webhooks', [
    account(),
    text('id', 'url'),
    optional('events'),
    text('description', 'secret_cipher'),
    optional('previous_secret_cipher', 'previous_secret_until', 'disabled_at', 'disabled_reason'),
    text('created_at', 'updated_at'),
    primaryKey('webhooks_pk', 'account_id', 'id'),
  ]);

  // The number is stored in the row that every write locks anyway, so that webhooks cost nothing in workspaces that have none.
  await addWithDefault(db, 'accounts', { name: 'enabled_webhooks', type: 'integer', value: 0 });

  await createTable(db, 'webhook_deliveries', [
    account(),
    text('webhook_id'),
    bigint('revision'),
    text('type', 'state'),
    optional('queue'),
    integer('failures'),
    text('attempts'),
    optional('next_attempt_at'),
    text('created_at'),
    primaryKey('webhook_deliveries_pk', 'account_id', 'webhook_id', 'revision'),
  ]);
  await sql`create index webhook_deliveries_waiting on webhook_deliveries (account_id, webhook_id, queue, revision)
    where queue is not null`.execute(db);
  await sql`create index webhook_deliveries_by_age on webhook_deliveries (created_at)`.execute(db);

  await createTable(db, 'webhook_queues', [
    account(),
    text('webhook_id', 'queue'),
    bigint('last_revision'),
    text('next_at'),
    optional('lease'),
    primaryKey('webhook_queues_pk', 'account_id', 'webhook_id', 'queue'),
  ]);
  await sql`create index webhook_queues_due on webhook_queues (account_id, webhook_id, next_at)`.execute(db);
}
