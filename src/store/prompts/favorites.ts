import type { Kysely } from 'kysely';
import { countRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';

/** A person in a workspace. */
export interface PersonInWorkspace {
  workspaceId: string;
  accountId: string;
}

export function createFavoriteStore(db: Kysely<Database>) {
  const selectOf = ({ workspaceId, accountId }: PersonInWorkspace) =>
    db.selectFrom('favorites').where('favorites.account_id', '=', workspaceId).where('favorites.user_id', '=', accountId);

  return {
    /** Lists the favorites outside the bin, by name. */
    list: (person: PersonInWorkspace) =>
      selectOf(person)
        .innerJoin('prompts', (join) =>
          join.onRef('prompts.account_id', '=', 'favorites.account_id').onRef('prompts.id', '=', 'favorites.prompt_id'),
        )
        .select(['prompts.id', 'prompts.name', 'prompts.type'])
        .where('prompts.deleted_at', 'is', null)
        .orderBy('prompts.name')
        .execute(),

    count: (person: PersonInWorkspace): Promise<number> => countRows(selectOf(person)),

    /** Adds a favorite. Returns false if the prompt already was a favorite. */
    async insert({ workspaceId, accountId }: PersonInWorkspace, promptId: string): Promise<boolean> {
      const row = { account_id: workspaceId, user_id: accountId, prompt_id: promptId, created_at: new Date().toISOString() };
      const result = await db
        .insertInto('favorites')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return result.numInsertedOrUpdatedRows === 1n;
    },

    async remove({ workspaceId, accountId }: PersonInWorkspace, promptId: string): Promise<void> {
      await db
        .deleteFrom('favorites')
        .where('account_id', '=', workspaceId)
        .where('user_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .execute();
    },
  };
}
