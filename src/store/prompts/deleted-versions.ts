import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

interface DeletedVersion {
  prompt_id: string;
  version: number;
}

/** Deleted versions that are read in one query. */
const deletedAtOnce = 2000;
const fewDeleted = 100;

/** How many deleted versions of each prompt are read with a page of so many prompts: the newest. */
export function countDeletedVersions(prompts: number): number {
  return Math.max(fewDeleted, Math.floor(deletedAtOnce / prompts));
}

/** Most prompts have few, so the others are read in further queries. */
export async function listDeletedVersions(db: Kysely<Database>, accountId: string, promptIds: string[]): Promise<DeletedVersion[]> {
  const limit = Math.floor(deletedAtOnce / promptIds.length);
  const first = await selectNewest(db, accountId, promptIds, limit);
  if (limit >= fewDeleted) return first;
  const byPrompt = Map.groupBy(first, ({ prompt_id }) => prompt_id);
  const full = [...byPrompt].filter(([, versions]) => versions.length === limit).map(([id]) => id);
  for (let start = 0; start < full.length; start += deletedAtOnce / fewDeleted) {
    const more = await selectNewest(db, accountId, full.slice(start, start + deletedAtOnce / fewDeleted), fewDeleted);
    for (const [id, versions] of Map.groupBy(more, ({ prompt_id }) => prompt_id)) byPrompt.set(id, versions);
  }
  return [...byPrompt.values()].flat();
}

/** One seek in an index for each prompt, since one of them may have very many. */
async function selectNewest(db: Kysely<Database>, accountId: string, promptIds: string[], limit: number): Promise<DeletedVersion[]> {
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
