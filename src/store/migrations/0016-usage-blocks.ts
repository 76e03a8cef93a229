import { type Kysely, sql } from 'kysely';
import { createTable, integer, primaryKey, text } from './schema.ts';

/**
 * Creates the table of blocks of counted calls. A block is kept until it is added to the rows of the statistics. The body is the last
 * column, and the indexes cover all other columns, so that bodies are read only when they are needed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'usage_blocks', [
    text('writer'),
    integer('sequence', 'part'),
    text('created_at', 'first_account', 'last_account'),
    integer('bytes'),
    text('body'),
    primaryKey('usage_blocks_pk', 'writer', 'sequence', 'part'),
  ]);
  await sql`create index usage_blocks_by_account on usage_blocks (first_account, last_account, writer, sequence, part)`.execute(db);
  await sql`create index usage_blocks_by_age on usage_blocks (created_at, writer, sequence, bytes)`.execute(db);
}
