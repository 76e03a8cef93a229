import { type Kysely, sql } from 'kysely';
import { bigint, createTable, integer, primaryKey, text } from './schema.ts';

/** Creates the tables with the results of releases. The embedded engine moves the tables of statistics into a separate file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The embedded engine has already moved the table, unless the database is new or a backup. `engine/sqlite-statistics.ts` changes the
  // table in the file of the statistics.
  const tables = await db.introspection.getTables();
  if (tables.some(({ name }) => name === 'counted_calls')) await sql`alter table counted_calls add column release_unit text`.execute(db);

  const stage = [text('account_id', 'release_id'), integer('stage')];
  const stageKey = ['account_id', 'release_id', 'stage'];
  await createTable(db, 'release_stages', [...stage, integer('units'), text('scores'), primaryKey('release_stages_pk', ...stageKey)]);
  await createTable(db, 'release_units', [
    ...[...stage, integer('version'), text('unit')],
    bigint('calls', 'errors', 'timed'),
    double('log_duration'),
    bigint('priced'),
    double('log_cost'),
    primaryKey('release_units_pk', ...stageKey, 'version', 'unit'),
  ]);
  await createTable(db, 'release_scores', [
    ...[...stage, integer('version'), text('name', 'unit')],
    bigint('count'),
    double('total'),
    primaryKey('release_scores_pk', ...stageKey, 'version', 'name', 'unit'),
  ]);
}

const double =
  (name: string): Parameters<typeof createTable>[2][number] =>
  (table) =>
    table.addColumn(name, 'double precision', (column) => column.notNull());
