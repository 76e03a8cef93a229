import type { Kysely } from 'kysely';

/** Runs of prompts on models, what models have cost by day, and the budget of a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('prompt_runs')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('prompt_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompt_runs_pk', ['account_id', 'prompt_id', 'id'])
    .execute();
  await db.schema.createIndex('prompt_runs_by_workspace').on('prompt_runs').columns(['account_id', 'id', 'bytes']).execute();
  await db.schema.createIndex('prompt_runs_by_age').on('prompt_runs').column('created_at').execute();

  await db.schema
    .createTable('model_usage')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('tokens', 'bigint', (column) => column.notNull())
    .addColumn('cost', 'double precision', (column) => column.notNull())
    .addPrimaryKeyConstraint('model_usage_pk', ['account_id', 'day'])
    .execute();
  await db.schema.createIndex('model_usage_by_age').on('model_usage').column('day').execute();

  await db.schema.alterTable('accounts').addColumn('daily_budget', 'text').execute();
}
