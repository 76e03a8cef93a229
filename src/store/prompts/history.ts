import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

interface HistoryRecord {
  id: string;
  type: string;
  detail: string;
  by: string;
  at: string;
}

/** The history of prompts. Events are inserted in the transaction of the change. */
export function createHistoryStore(db: Kysely<Database>) {
  return {
    async insert(accountId: string, promptId: string, event: HistoryRecord): Promise<void> {
      await db
        .insertInto('prompt_events')
        .values({ account_id: accountId, prompt_id: promptId, ...event })
        .execute();
    },

    /** Newest first: ids sort by time. */
    async list(accountId: string, promptId: string, page: { before?: string | undefined; limit: number }): Promise<HistoryRecord[]> {
      let query = db
        .selectFrom('prompt_events')
        .select(['id', 'type', 'detail', 'by', 'at'])
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId);
      if (page.before !== undefined) query = query.where('id', '<', page.before);
      return query.orderBy('id', 'desc').limit(page.limit).execute();
    },
  };
}
