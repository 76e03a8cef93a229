import { type Kysely, sql } from 'kysely';

/** Versions in another template language than Liquid, and versions that are deleted but keep their number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('prompt_versions')
    .addColumn('syntax', 'text', (column) => column.notNull().defaultTo('liquid'))
    .execute();
  await db.schema.alterTable('prompt_versions').addColumn('deleted_at', 'text').execute();
  // The few numbers that are missing from a prompt's versions.
  await db.schema
    .createIndex('prompt_versions_deleted')
    .on('prompt_versions')
    .columns(['account_id', 'prompt_id', 'version'])
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute();
}
