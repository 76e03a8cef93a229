import { type Kysely, sql } from 'kysely';
import { bigint, createTable, integer, primaryKey, text } from './schema.ts';

/** Creates the tables with the results of releases. The embedded engine moves the tables of statistics into a separate file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The embedded engine has already moved the table, unless the database is new or a backup. `engine/sqlite-statistics.ts` changes it there.
  const tables = await db.introspection.getTables();
  if (tables.some(({ name }) => name === 'counted_calls')) await sql`alter table counted_calls add column release_unit text`.execute(db);

  const key = [text('account_id', 'release_id'), integer('stage')];
  const keyColumns = ['account_id', 'release_id', 'stage'];
  await createTable(db, 'release_stages', [...key, integer('units'), text('scores'), primaryKey('release_stages_pk', ...keyColumns)]);
  await createTable(db, 'release_units', [
    ...key,
    text('unit'),
    integer('version'),
    bigint('calls', 'errors', 'timed'),
    double('log_duration'),
    bigint('priced'),
    double('log_cost'),
    primaryKey('release_units_pk', ...keyColumns, 'unit'),
  ]);
  await createTable(db, 'release_scores', [
    ...key,
    text('unit'),
    integer('version'),
    text('name'),
    bigint('count'),
    double('total'),
    primaryKey('release_scores_pk', ...keyColumns, 'unit', 'name'),
  ]);
}

const double =
  (name: string): Parameters<typeof createTable>[2][number] =>
  (table) =>
    table.addColumn(name, 'double precision', (column) => column.notNull());
