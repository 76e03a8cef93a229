import type { Kysely } from 'kysely';
import { addWithDefault } from './schema.ts';

/**
 * Adds the positions that keep labels and tags in the order in which they were given. Rows of instances of the previous version have the
 * position 0, and are in the order of their names.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['prompt_labels', 'prompt_tags']) await addWithDefault(db, table, { name: 'position', type: 'integer', value: 0 });
}
