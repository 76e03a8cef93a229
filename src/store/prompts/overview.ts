import { type Kysely, sql } from 'kysely';
import { countRows } from '../count-rows.ts';
import { listDistinct } from '../list-distinct.ts';
import type { Database } from '../tables.ts';
import { inFolder } from './prompt-query.ts';

/** What a workspace holds, for the filters of a list that loads only a part of it. */
export function createOverviewStore(db: Kysely<Database>) {
  return {
    async countPrompts(accountId: string, folder: string | undefined): Promise<number> {
      const prompts = db.selectFrom('prompts').where('account_id', '=', accountId).where('deleted_at', 'is', null);
      return countRows(folder === undefined ? prompts : prompts.where((eb) => inFolder(eb, folder)));
    },

    /** In order, also those of prompts in the bin. */
    listTags: (accountId: string, limit: number): Promise<string[]> =>
      listDistinct(db, { table: 'prompt_tags', column: 'tag', where: sql`account_id = ${accountId}`, limit }),

    listLabels: (accountId: string, limit: number): Promise<string[]> =>
      listDistinct(db, { table: 'prompt_labels', column: 'label', where: sql`account_id = ${accountId}`, limit }),
  };
}
