import type { Kysely } from 'kysely';

/** Cases of prompts, the results of running them, and the labels that want passing ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('prompt_cases')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('prompt_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompt_cases_pk', ['account_id', 'prompt_id', 'id'])
    .execute();

  await db.schema
    .createTable('prompt_checks')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('prompt_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('has_passed', 'integer', (column) => column.notNull())
    .addColumn('cases_digest', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompt_checks_pk', ['account_id', 'prompt_id', 'id'])
    .execute();
  await db.schema.createIndex('prompt_checks_by_workspace').on('prompt_checks').columns(['account_id', 'id', 'bytes']).execute();
  await db.schema
    .createIndex('prompt_checks_by_version')
    .on('prompt_checks')
    .columns(['account_id', 'prompt_id', 'version', 'id'])
    .execute();

  // In the row that every write locks anyway, as the protected labels are.
  await db.schema
    .alterTable('accounts')
    .addColumn('gated_labels', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
}
