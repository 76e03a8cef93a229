import { type Kysely, sql } from 'kysely';
import { countRows } from '../count-rows.ts';
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
      listDistinct(db, { table: 'prompt_tags', column: 'tag', accountId, limit }),

    listLabels: (accountId: string, limit: number): Promise<string[]> =>
      listDistinct(db, { table: 'prompt_labels', column: 'label', accountId, limit }),
  };
}

interface DistinctQuery {
  table: 'prompt_tags' | 'prompt_labels';
  column: 'tag' | 'label';
  accountId: string;
  limit: number;
}

/** One seek per value: `distinct` would read every row of the account. */
async function listDistinct(db: Kysely<Database>, { table, column, accountId, limit }: DistinctQuery): Promise<string[]> {
  const next = (after: ReturnType<typeof sql>) =>
    sql`(select t.${sql.ref(column)} from ${sql.table(table)} t where t.account_id = ${accountId} and t.${sql.ref(column)} > ${after}
      order by t.${sql.ref(column)} limit 1)`;
  const { rows } = await sql<{ value: string }>`with recursive found(value, position) as (
      select ${next(sql`''`)}, 1
      union all
      select ${next(sql`found.value`)}, found.position + 1 from found where found.value is not null and found.position < ${limit}
    ) select value from found where value is not null order by position`.execute(db);
  return rows.map(({ value }) => value);
}
