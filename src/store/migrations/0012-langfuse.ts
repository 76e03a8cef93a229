import { type Kysely, sql } from 'kysely';
import { addOptional, addWithDefault } from './schema.ts';

/** Versions in a template language other than Liquid, and versions that are deleted but keep their number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addWithDefault(db, 'prompt_versions', { name: 'syntax', type: 'text', value: 'liquid' });
  await addOptional(db, 'prompt_versions', ['deleted_at']);
  // This index finds the few numbers that are missing from a prompt's versions.
  await sql`create index prompt_versions_deleted on prompt_versions (account_id, prompt_id, version)
    where deleted_at is not null`.execute(db);
}
