import type { Kysely } from 'kysely';

/**
 * Calls by hour or day, the last use of keys, and account events. The keys start with account and time, so that reading a range of
 * one account scans only its own rows. The indexes by time are for housekeeping.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('call_statistics')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('time', 'text', (column) => column.notNull())
    .addColumn('route', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('bucket', 'integer', (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('call_statistics_pk', ['account_id', 'time', 'route', 'status', 'bucket'])
    .execute();
  await db.schema.createIndex('call_statistics_by_time').on('call_statistics').columns(['time', 'account_id']).execute();

  await db.schema
    .createTable('prompt_statistics')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('time', 'text', (column) => column.notNull())
    .addColumn('prompt_id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompt_statistics_pk', ['account_id', 'time', 'prompt_id', 'version', 'label', 'status'])
    .execute();
  await db.schema.createIndex('prompt_statistics_by_time').on('prompt_statistics').columns(['time', 'account_id']).execute();

  await db.schema
    .createTable('key_uses')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
    .addColumn('key_serial', 'integer', (column) => column.notNull())
    .addColumn('last_used_at', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('statistics_writers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('sequence', 'integer', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('account_events')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('address', 'text')
    .addColumn('user_agent', 'text')
    .addPrimaryKeyConstraint('account_events_pk', ['account_id', 'id'])
    .execute();
  await db.schema.createIndex('account_events_by_age').on('account_events').column('at').execute();
}
