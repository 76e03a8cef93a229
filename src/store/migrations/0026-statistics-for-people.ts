import { type Kysely, sql } from 'kysely';
import { bigint, createTable, integer, primaryKey, text } from './schema.ts';

/**
 * Creates the tables of calls by member and of requests to models. The embedded engine moves the tables of statistics into a separate file.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'member_statistics', [
    text('account_id', 'time', 'member_id', 'route'),
    integer('status'),
    bigint('calls'),
    primaryKey('member_statistics_pk', 'account_id', 'time', 'member_id', 'route', 'status'),
  ]);
  await sql`create index member_statistics_by_time on member_statistics (time, account_id)`.execute(db);

  await createTable(db, 'run_statistics', [
    text('account_id', 'time', 'member_id', 'model'),
    integer('has_failed', 'bucket'),
    bigint('calls', 'input_tokens', 'output_tokens'),
    (table) => table.addColumn('cost', 'double precision', (column) => column.notNull()),
    bigint('unpriced'),
    primaryKey('run_statistics_pk', 'account_id', 'time', 'member_id', 'model', 'has_failed', 'bucket'),
  ]);
  await sql`create index run_statistics_by_time on run_statistics (time, account_id)`.execute(db);
}
