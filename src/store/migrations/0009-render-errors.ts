import type { Kysely } from 'kysely';

/** Why prompts could not be rendered, by hour or day like the other statistics. `name` is empty if the error has none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('render_errors')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('time', 'text', (column) => column.notNull())
    .addColumn('prompt_id', 'text', (column) => column.notNull())
    .addColumn('code', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('render_errors_pk', ['account_id', 'time', 'prompt_id', 'code', 'name'])
    .execute();
  await db.schema.createIndex('render_errors_by_time').on('render_errors').columns(['time', 'account_id']).execute();
}
