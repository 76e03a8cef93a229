import type { Insertable, Kysely } from 'kysely';
import type { Person, ServicePerson } from '../../contract/people.ts';
import { type CollectedRows, defineRowWrite } from '../collected-rows.ts';
import type { Database } from '../tables.ts';
import { personColumns, toPerson } from './people.ts';

interface HistoryRecord {
  id: string;
  type: string;
  detail: string;
  by: Person;
  at: string;
}

/** Adds to the history, inside the transaction of the change. */
export interface HistoryWriter {
  add(accountId: string, promptId: string, event: HistoryRecord & { by: ServicePerson }): void;
}

export function createHistoryWriter(rows: CollectedRows): HistoryWriter {
  return {
    add(accountId, promptId, { by, ...event }) {
      rows.add(historyRows, {
        account_id: accountId,
        prompt_id: promptId,
        ...event,
        by: by.via,
        by_account_id: by.userId,
        by_name: by.name,
      });
    },
  };
}

const historyRows = defineRowWrite<Insertable<Database['prompt_events']> & Record<'by_account_id' | 'by_name', string | null>>(
  { account_id: '', prompt_id: '', id: '', type: '', detail: '', by: 'api', by_account_id: null, by_name: null, at: '' },
  (db, rows) => db.insertInto('prompt_events').values(rows),
);

/** The history of prompts. */
export function createHistoryStore(db: Kysely<Database>) {
  return {
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
