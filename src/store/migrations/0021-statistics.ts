import type { Kysely } from 'kysely';

/** The causes of errors of one prompt are read by this index. The embedded engine moves the tables of statistics into a file of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('render_errors_by_prompt').on('render_errors').columns(['account_id', 'prompt_id', 'time']).execute();
}
