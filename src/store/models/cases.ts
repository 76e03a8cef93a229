import { type Insertable, type Kysely, type Selection, sql } from 'kysely';
import { checkSubjects } from '../../contract/check-kinds.ts';
import { contains } from '../contains.ts';
import { insertRows } from '../insert-rows.ts';
import { ofPrompt, type PromptOwner } from '../prompts/prompt-owner.ts';
import type { UsageCounter } from '../prompts/quota-usage.ts';
import type { Database } from '../tables.ts';

const columns = ['id', 'name', 'content', 'digest', 'created_at as createdAt', 'updated_at as updatedAt'] as const;

export type CaseRecord = Selection<Database, 'prompt_cases', (typeof columns)[number]>;

/**
 * Reads and writes the test cases of prompts. Changes run inside `changePrompts`. The size of test cases counts as content of the
 * workspace.
 */
export function createCaseStore(db: Kysely<Database>, usage?: UsageCounter) {
  const select = ({ accountId, promptId }: PromptOwner) => db.selectFrom('prompt_cases').where(ofPrompt({ accountId, promptId }));

  return {
    async insert({ accountId, promptId }: PromptOwner, records: CaseRecord[]): Promise<void> {
      const rows = records.map(({ id, name, content, digest, createdAt, updatedAt }): Insertable<Database['prompt_cases']> => {
        const bytes = caseBytes({ name, content });
        usage?.add({ contentBytes: bytes });
        const fixed = { account_id: accountId, prompt_id: promptId, id, created_at: createdAt };
        return { ...fixed, name, content, digest, bytes, updated_at: updatedAt };
      });
      await insertRows(db, 'prompt_cases', rows);
    },

    async update(
      { accountId, promptId }: PromptOwner,
      before: CaseRecord,
      { name, content, digest, updatedAt }: CaseRecord,
    ): Promise<void> {
      const bytes = caseBytes({ name, content });
      usage?.add({ contentBytes: bytes - caseBytes(before) });
      await db
        .updateTable('prompt_cases')
        .set({ name, content, digest, bytes, updated_at: updatedAt })
        .where(ofPrompt({ accountId, promptId }))
        .where('id', '=', before.id)
        .execute();
    },

    async delete({ accountId, promptId }: PromptOwner, removed: CaseRecord): Promise<void> {
      usage?.add({ contentBytes: -caseBytes(removed) });
      await db.deleteFrom('prompt_cases').where(ofPrompt({ accountId, promptId })).where('id', '=', removed.id).execute();
    },

    async find(owner: PromptOwner, id: string): Promise<CaseRecord | undefined> {
      return select(owner).select(columns).where('id', '=', id).executeTakeFirst();
    },

    /** Lists test cases, oldest first. */
    async list(owner: PromptOwner, page: { afterId: string; limit: number }): Promise<CaseRecord[]> {
      return select(owner).select(columns).where('id', '>', page.afterId).orderBy('id').limit(page.limit).execute();
    },

    /** Lists the prompts whose test cases use this prompt as a judge. */
    async listJudgedBy(accountId: string, judge: string, limit: number): Promise<{ name: string; cases: number }[]> {
      // A stored check contains this string. Other strings cannot contain it, because their quotation marks would be escaped.
      const written = checkSubjects.map((on) => JSON.stringify({ kind: 'judge', on, value: judge }).slice(1, -1));
      const rows = await db
        .selectFrom('prompt_cases')
        .innerJoin('prompts', (join) =>
          join.onRef('prompts.account_id', '=', 'prompt_cases.account_id').onRef('prompts.id', '=', 'prompt_cases.prompt_id'),
        )
        .where('prompt_cases.account_id', '=', accountId)
        .where('prompts.deleted_at', 'is', null)
        .where((eb) => eb.or(written.map((text) => contains('prompt_cases.content', text))))
        .groupBy('prompts.name')
        .orderBy('prompts.name')
        .limit(limit)
        .select(['prompts.name', (eb) => eb.fn.countAll().as('cases')])
        .execute();
      return rows.map(({ name, cases }) => ({ name, cases: Number(cases) }));
    },

    /** Lists the digests of all test cases of the given prompts, as one text for each prompt with one line for each test case. */
    async listDigestsOf(accountId: string, promptIds: string[]): Promise<Map<string, string>> {
      if (promptIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('prompt_cases')
        .select(['prompt_id as promptId', sql<string>`string_agg(id || ' ' || digest, cast(${'\n'} as text) order by id)`.as('digests')])
        .where('account_id', '=', accountId)
        .where('prompt_id', 'in', promptIds)
        .groupBy('prompt_id')
        .execute();
      return new Map(rows.map(({ promptId, digests }) => [promptId, digests]));
    },

    /** Lists the sizes and digests of all test cases of a prompt, without reading their content. */
    async listDigests(owner: PromptOwner): Promise<{ id: string; digest: string; bytes: number }[]> {
      return select(owner).select(['id', 'digest', 'bytes']).orderBy('id').execute();
    },
  };
}

/** Returns the size that counts for a test case. */
export function caseBytes({ name, content }: Pick<CaseRecord, 'name' | 'content'>): number {
  return Buffer.byteLength(name) + Buffer.byteLength(content);
}
