import { type Kysely, sql } from 'kysely';
import { bigint, createTable, integer, optional, primaryKey, text } from './schema.ts';

/** Creates the tables of reported calls and scores. The embedded engine moves the tables of statistics into a separate file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const counted = [text('account_id', 'time', 'prompt_id'), integer('version'), text('label', 'model')];
  const key = ['account_id', 'time', 'prompt_id', 'version', 'label', 'model'];

  await createTable(db, 'result_sums', [
    ...counted,
    bigint('calls', 'errors', 'input_tokens', 'output_tokens'),
    double('cost'),
    bigint('priced', 'unpriced'),
    primaryKey('result_sums_pk', ...key),
  ]);
  await createTable(db, 'result_counts', [
    ...counted,
    text('kind', 'name'),
    bigint('calls'),
    primaryKey('result_counts_pk', ...key, 'kind', 'name'),
  ]);
  await createTable(db, 'result_scores', [
    ...counted,
    text('name', 'kind', 'value'),
    bigint('calls'),
    double('total', 'squares'),
    primaryKey('result_scores_pk', ...key, 'name', 'kind', 'value'),
  ]);
  for (const table of ['result_sums', 'result_counts', 'result_scores']) {
    await sql`create index ${sql.ref(`${table}_by_time`)} on ${sql.table(table)} (time, account_id)`.execute(db);
    await sql`create index ${sql.ref(`${table}_by_prompt`)} on ${sql.table(table)} (account_id, prompt_id, time)`.execute(db);
  }

  await createTable(db, 'counted_calls', [
    text('account_id', 'trace_ref', 'span_ref'),
    optional('response_ref'),
    text('time', 'prompt_id'),
    integer('version'),
    text('label', 'model'),
    (table) => table.addColumn('started_ms', 'bigint'),
    primaryKey('counted_calls_pk', 'account_id', 'trace_ref', 'span_ref'),
  ]);
  await sql`create index counted_calls_by_response on counted_calls (account_id, response_ref) where response_ref is not null`.execute(db);
  await createTable(db, 'waiting_scores', [
    text('account_id', 'ref', 'id', 'time', 'score'),
    primaryKey('waiting_scores_pk', 'account_id', 'ref', 'id'),
  ]);
  await createTable(db, 'feedback_comments', [
    text('account_id', 'prompt_id', 'id', 'time', 'at'),
    integer('version'),
    text('label', 'name', 'value', 'comment'),
    primaryKey('feedback_comments_pk', 'account_id', 'prompt_id', 'id'),
  ]);
  for (const table of ['counted_calls', 'waiting_scores', 'feedback_comments']) {
    await sql`create index ${sql.ref(`${table}_by_time`)} on ${sql.table(table)} (account_id, time)`.execute(db);
  }
}

const double =
  (...names: string[]): Parameters<typeof createTable>[2][number] =>
  (table) =>
    names.reduce((all, name) => all.addColumn(name, 'double precision', (column) => column.notNull()), table);
