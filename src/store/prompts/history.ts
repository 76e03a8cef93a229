import type { Kysely } from 'kysely';
import type { Member, Person } from '../../contract/people.ts';
import type { Database } from '../tables.ts';
import { personColumns, toPerson } from './people.ts';

interface HistoryRecord {
  id: string;
  type: string;
  detail: string;
  by: Person;
  at: string;
}

/** The history of prompts. Events are inserted in the transaction of the change. */
export function createHistoryStore(db: Kysely<Database>) {
  return {
    async insert(accountId: string, promptId: string, { by, ...event }: HistoryRecord & { by: Member }): Promise<void> {
      await db
        .insertInto('prompt_events')
        .values({ account_id: accountId, prompt_id: promptId, ...event, by: by.via, by_account_id: by.userId, by_name: by.name })
        .execute();
    },

    /** Newest first: ids sort by time. */
    async list(accountId: string, promptId: string, page: { before?: string | undefined; limit: number }): Promise<HistoryRecord[]> {
      let query = db
        .selectFrom('prompt_events')
        .select(['id', 'type', 'detail', 'at', 'by as byVia', ...personColumns('prompt_events')])
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId);
      if (page.before !== undefined) query = query.where('id', '<', page.before);
      const rows = await query.orderBy('id', 'desc').limit(page.limit).execute();
      return rows.map(({ byVia, byAccountId, byName, ...event }) => ({ ...event, by: toPerson({ byAccountId, byName, byVia }) }));
    },
  };
}
