import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

const fewDeleted = 100;
const manyDeleted = 2000;

/** Returns the number of deleted versions to read for each prompt on a page with this many prompts. */
export function countDeletedVersions(prompts: number): number {
  return Math.max(fewDeleted, Math.floor(manyDeleted / prompts));
}

/**
 * Lists the newest deleted versions of prompts. For each prompt, the query starts at the oldest version that it lists, because a prompt may
 * have very many deleted versions.
 */
export async function listDeletedVersions(db: Kysely<Database>, accountId: string, promptIds: string[]) {
  const limit = countDeletedVersions(promptIds.length);
  return (
    db
      // In this clause, the subquery runs once for each prompt. Inside the condition below, PostgreSQL would run it for each version.
      .with(
        (cte) => cte('starts').materialized(),
        (query) =>
          query
            .selectFrom('prompts')
            .select(({ selectFrom }) => [
              'prompts.id',
              selectFrom('prompt_versions')
                .select('version')
                .whereRef('prompt_versions.account_id', '=', 'prompts.account_id')
                .whereRef('prompt_versions.prompt_id', '=', 'prompts.id')
                .where('prompt_versions.deleted_at', 'is not', null)
                .orderBy('version', 'desc')
                .limit(1)
                .offset(limit - 1)
                .as('version'),
            ])
            .where('account_id', '=', accountId)
            .where('id', 'in', promptIds),
      )
      .selectFrom('starts')
      .innerJoin('prompt_versions', 'prompt_versions.prompt_id', 'starts.id')
      .select(['prompt_versions.prompt_id', 'prompt_versions.version'])
      .where('prompt_versions.account_id', '=', accountId)
      .where('prompt_versions.deleted_at', 'is not', null)
      .where('prompt_versions.version', '>=', ({ fn, ref, lit }) => fn.coalesce(ref('starts.version'), lit(0)))
      .execute()
  );
}
