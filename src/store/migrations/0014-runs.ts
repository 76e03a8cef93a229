import { type Kysely, sql } from 'kysely';
import { account, addOptional, bigint, createTable, integer, primaryKey, text } from './schema.ts';

/** Adds runs, the cost of models by day, and the daily budget. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'prompt_runs', [
    account(),
    text('prompt_id', 'id'),
    integer('bytes'),
    text('created_at', 'summary', 'detail'),
    primaryKey('prompt_runs_pk', 'account_id', 'prompt_id', 'id'),
  ]);
  await sql`create index prompt_runs_by_workspace on prompt_runs (account_id, id, bytes)`.execute(db);
  await sql`create index prompt_runs_by_age on prompt_runs (created_at)`.execute(db);

  await createTable(db, 'model_usage', [
    account(),
    text('day'),
    bigint('requests', 'tokens'),
    (table) => table.addColumn('cost', 'double precision', (column) => column.notNull()),
    primaryKey('model_usage_pk', 'account_id', 'day'),
  ]);
  await sql`create index model_usage_by_age on model_usage (day)`.execute(db);

  await addOptional(db, 'accounts', ['daily_budget']);
}
