import type { Kysely, Selectable } from 'kysely';
import { ofPrompt, type PromptOwner } from '../prompts/prompt-owner.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import { type KeptRows, pruneRuns } from './prune.ts';

type RunRecord = Pick<Selectable<Database['prompt_runs']>, 'id' | 'summary' | 'detail'> & { createdAt: string };

/** Reads and writes the runs of prompts. */
export function createRunStore(db: Kysely<Database>) {
  const select = ({ accountId, promptId }: PromptOwner) => db.selectFrom('prompt_runs').where(ofPrompt({ accountId, promptId }));

  return {
    /** Inserts a run, and deletes the oldest runs beyond the limits. */
    async insert({ accountId, promptId }: PromptOwner, { id, createdAt, summary, detail }: RunRecord, kept: KeptRows): Promise<void> {
      const bytes = Buffer.byteLength(summary) + Buffer.byteLength(detail);
      await runTransaction(db, async (transaction) => {
        await transaction
          .insertInto('prompt_runs')
          .values({ account_id: accountId, prompt_id: promptId, id, bytes, created_at: createdAt, summary, detail })
          .execute();
        await pruneRuns(transaction, { table: 'prompt_runs', accountId, promptId, kept });
      });
    },

    async find(owner: PromptOwner, id: string): Promise<{ summary: string; detail: string } | undefined> {
      return select(owner).select(['summary', 'detail']).where('id', '=', id).executeTakeFirst();
    },

    /** Lists runs, newest first, without their details. */
    async list(owner: PromptOwner, page: { before?: string | undefined; limit: number }): Promise<{ id: string; summary: string }[]> {
      let query = select(owner).select(['id', 'summary']);
      if (page.before !== undefined) query = query.where('id', '<', page.before);
      return query.orderBy('id', 'desc').limit(page.limit).execute();
    },
  };
}
