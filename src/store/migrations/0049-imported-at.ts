import type { Kysely } from 'kysely';
import { addOptional } from './schema.ts';

/**
 * Adds the time at which a version was imported. The column `created_at` of an imported version contains the time that the imported file
 * states.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addOptional(db, 'prompt_versions', ['imported_at']);
}
