import type { Kysely } from 'kysely';
import { addOptional } from './schema.ts';

/** Adds when a version was imported. Its `created_at` is what the imported file says. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addOptional(db, 'prompt_versions', ['imported_at']);
}
