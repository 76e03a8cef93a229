import { type Kysely, sql } from 'kysely';
import { addOptional, addWithDefault } from './schema.ts';

type Tables = {
  accounts: { id: string; prompt_count: number; version_count: number; content_bytes: number; deleted_at: string | null };
  prompts: { account_id: string };
  prompt_versions: { account_id: string; content: string; config: string };
};

/**
 * Adds the time at which an account was deleted, with which its rows are removed in batches, and the counters with which quotas are
 * enforced. Also adds a random part to the revision, so that revisions do not repeat after a backup is restored.
 */
export async function up(untyped: Kysely<unknown>): Promise<void> {
  const db = untyped.withTables<Tables>();
  await addOptional(untyped, 'accounts', ['deleted_at']);
  await addWithDefault(untyped, 'accounts', { name: 'revision_salt', type: 'integer', value: 0 });
  for (const name of ['prompt_count', 'version_count', 'content_bytes']) {
    await addWithDefault(untyped, 'accounts', { name, type: 'bigint', value: 0 });
  }
  await sql`create index accounts_to_purge on accounts (deleted_at) where deleted_at is not null`.execute(db);
  await countExisting(db);
}

async function countExisting(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable('accounts')
    .set((eb) => {
      const versions = eb.selectFrom('prompt_versions').whereRef('prompt_versions.account_id', '=', 'accounts.id');
      return {
        prompt_count: eb
          .selectFrom('prompts')
          .select(eb.fn.countAll<number>().as('count'))
          .whereRef('prompts.account_id', '=', 'accounts.id'),
        version_count: versions.select(eb.fn.countAll<number>().as('count')),
        content_bytes: versions.select(sql<number>`coalesce(sum(octet_length(content) + octet_length(config)), 0)`.as('bytes')),
      };
    })
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('prompts').select('prompts.account_id').whereRef('prompts.account_id', '=', 'accounts.id')),
    )
    .execute();
}
