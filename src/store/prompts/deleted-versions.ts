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

/** The newest deleted versions of prompts. One seek in an index for each prompt, since one of them may have very many. */
export async function listDeletedVersions(db: Kysely<Database>, accountId: string, promptIds: string[]): Promise<DeletedVersion[]> {
  const limit = countDeletedVersions(promptIds.length);
  const [first, ...others] = promptIds.map((promptId) =>
    db
      .selectFrom(
        db
          .selectFrom('prompt_versions')
          .select(['prompt_id', 'version'])
          .where('account_id', '=', accountId)
          .where('prompt_id', '=', promptId)
          .where('deleted_at', 'is not', null)
          .orderBy('version', 'desc')
          .limit(limit)
          .as('deleted'),
      )
      .selectAll(),
  );
  return first ? others.reduce((all, other) => all.unionAll(other), first).execute() : [];
}
