import type { Kysely } from 'kysely';

/**
 * Counted calls as they were written, until they are folded into the rows of the statistics. The body is the last column, and the
 * indexes cover what is asked about blocks, so that their bodies are only read by those who want them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage_blocks')
    .addColumn('writer', 'text', (column) => column.notNull())
    .addColumn('sequence', 'integer', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('first_account', 'text', (column) => column.notNull())
    .addColumn('last_account', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_blocks_pk', ['writer', 'sequence', 'part'])
    .execute();
  await db.schema
    .createIndex('usage_blocks_by_account')
    .on('usage_blocks')
    .columns(['first_account', 'last_account', 'writer', 'sequence', 'part'])
    .execute();
  await db.schema.createIndex('usage_blocks_by_age').on('usage_blocks').columns(['created_at', 'writer', 'sequence', 'bytes']).execute();
}
