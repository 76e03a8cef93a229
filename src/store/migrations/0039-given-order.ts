import type { Kysely } from 'kysely';
import { addWithDefault } from './schema.ts';

/**
 * Adds the positions that keep labels and tags in the order in which they were given. Rows that instances of the previous version write
 * have the position 0, and are sorted by name.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['prompt_labels', 'prompt_tags']) await addWithDefault(db, table, { name: 'position', type: 'integer', value: 0 });
}
