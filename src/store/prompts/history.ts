import type { Insertable, Kysely } from 'kysely';
import type { Person, ServicePerson } from '../../contract/people.ts';
import { insertRows } from '../insert-rows.ts';
import type { Database } from '../tables.ts';
import { personColumns, toPerson } from './people.ts';
import { ofPrompt } from './prompt-owner.ts';

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
  /** Stores what was added. */
  finish(db: Kysely<Database>): Promise<void>;
}

export function createHistoryWriter(): HistoryWriter {
  const rows: Insertable<Database['prompt_events']>[] = [];
  return {
    add(accountId, promptId, { by, ...event }) {
      rows.push({ account_id: accountId, prompt_id: promptId, ...event, by: by.via, by_account_id: by.userId, by_name: by.name });
    },
    finish: (db) => insertRows(db, 'prompt_events', rows),
  };
}

/** The history of prompts. */
export function createHistoryStore(db: Kysely<Database>) {
  return {
    /** Newest first: ids sort by time. */
    async list(accountId: string, promptId: string, page: { before?: string | undefined; limit: number }): Promise<HistoryRecord[]> {
      let query = db
        .selectFrom('prompt_events')
        .select(['id', 'type', 'detail', 'at', 'by as byVia', ...personColumns('prompt_events')])
        .where(ofPrompt({ accountId, promptId }));
      if (page.before !== undefined) query = query.where('id', '<', page.before);
      const rows = await query.orderBy('id', 'desc').limit(page.limit).execute();
      return rows.map(({ byVia, byAccountId, byName, ...event }) => ({ ...event, by: toPerson({ byAccountId, byName, byVia }) }));
    },
  };
}
