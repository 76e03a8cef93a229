import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

interface DeletedVersion {
  prompt_id: string;
  version: number;
}

const fewDeleted = 100;
const manyDeleted = 2000;

/** How many deleted versions of each prompt are read with a page of so many prompts: the newest. */
export function countDeletedVersions(prompts: number): number {
  return Math.max(fewDeleted, Math.floor(manyDeleted / prompts));
}

/** The newest deleted versions of prompts. Starts each at the last one to list, since a prompt may have very many. */
export async function listDeletedVersions(db: Kysely<Database>, accountId: string, promptIds: string[]): Promise<DeletedVersion[]> {
  const limit = countDeletedVersions(promptIds.length);
  return db
    .selectFrom('prompts')
    .innerJoin('prompt_versions', (join) =>
      join.onRef('prompt_versions.account_id', '=', 'prompts.account_id').onRef('prompt_versions.prompt_id', '=', 'prompts.id'),
    )
    .select(['prompt_versions.prompt_id', 'prompt_versions.version'])
    .where('prompts.account_id', '=', accountId)
    .where('prompts.id', 'in', promptIds)
    .where('prompt_versions.deleted_at', 'is not', null)
    .where('prompt_versions.version', '>=', ({ fn, selectFrom, lit }) =>
      fn.coalesce(
        selectFrom('prompt_versions as deleted')
          .select('deleted.version')
          .whereRef('deleted.account_id', '=', 'prompts.account_id')
          .whereRef('deleted.prompt_id', '=', 'prompts.id')
          .where('deleted.deleted_at', 'is not', null)
          .orderBy('deleted.version', 'desc')
          .limit(1)
          .offset(limit - 1),
        lit(0),
      ),
    )
    .execute();
}
