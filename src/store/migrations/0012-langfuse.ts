import { type Kysely, sql } from 'kysely';
import { addOptional, addWithDefault } from './schema.ts';

/** Adds the columns for versions in a template language other than Liquid, and for deleted versions, which keep their number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addWithDefault(db, 'prompt_versions', { name: 'syntax', type: 'text', value: 'liquid' });
  await addOptional(db, 'prompt_versions', ['deleted_at']);
  // This index finds the numbers of a prompt's deleted versions, which are usually few.
  await sql`create index prompt_versions_deleted on prompt_versions (account_id, prompt_id, version)
    where deleted_at is not null`.execute(db);
}
