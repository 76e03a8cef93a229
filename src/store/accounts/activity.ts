import type { Insertable, Kysely } from 'kysely';
import type { AccountEvent } from '../../contract/activity.ts';
import { type DiscussionType, discussionTypes } from '../../contract/activity-types.ts';
import type { ServicePerson } from '../../contract/people.ts';
import { batchesOf, insertRows } from '../insert-rows.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

/** An event of an account's activity, or the event `account_deleted`, which only the log shows. */
export type AccountEventRecord = Omit<AccountEvent, 'type' | 'by' | 'detail'> &
  Partial<Pick<AccountEvent, 'by' | 'detail'>> & { accountId: string; type: string };

/** Adds entries to the activity of a workspace, inside the transaction of the change. */
export function createActivityWriter(accountId: string) {
  const rows: Insertable<Database['account_events']>[] = [];
  return {
    add({ id, type, at, by, detail }: { id: string; type: DiscussionType; at: string; by: ServicePerson | null; detail: object }): void {
      const person = { by_account_id: by?.userId, by_name: by?.name };
      rows.push({ account_id: accountId, id, type, at, address: null, user_agent: null, ...person, detail: JSON.stringify(detail) });
    },
    /** Stores the entries that were added. */
    finish: (db: Kysely<Database>) => insertRows(db, 'account_events', rows),
  };
}

/** Reads and writes the events of accounts, such as sign-ins. */
export function createActivityStore(db: Kysely<Database>) {
  return {
    /**
     * Adds events that do not exist yet. Skips events of deleted accounts. If an account is being deleted at the same time, the insert
     * fails, and the next attempt skips the account.
     */
    async add(events: AccountEventRecord[]): Promise<void> {
      await runTransaction(db, async (transaction) => {
        for (const batch of batchesOf(events)) await addBatch(transaction, batch);
      });
    },

    /** Lists a page of an account's events, newest first, without the events about proposals and comments. Ids sort by time. */
    async list(accountId: string, page: { beforeId: string | undefined; limit: number }) {
      let query = db
        .selectFrom('account_events')
        .select(['id', 'type', 'at', 'address', 'user_agent as userAgent', 'by_account_id as byAccountId', 'by_name as byName', 'detail'])
        .where('account_id', '=', accountId)
        .where('type', 'not in', Object.keys(discussionTypes))
        .orderBy('id', 'desc')
        .limit(page.limit);
      if (page.beforeId !== undefined) query = query.where('id', '<', page.beforeId);
      return query.execute();
    },
  };
}

async function addBatch(db: Kysely<Database>, events: AccountEventRecord[]): Promise<void> {
  const ids = [...new Set(events.map(({ accountId }) => accountId))];
  const accounts = await db.selectFrom('accounts').select('id').where('id', 'in', ids).where('deleted_at', 'is', null).execute();
  const existing = new Set(accounts.map(({ id }) => id));
  const rows = events.filter(({ accountId }) => existing.has(accountId)).map(toRow);
  if (rows.length === 0) return;
  await db
    .insertInto('account_events')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing())
    .execute();
}

function toRow({ accountId, id, type, at, address, userAgent, by, detail }: AccountEventRecord) {
  const person = { by_account_id: by?.userId, by_name: by?.name };
  return { account_id: accountId, id, type, at, address, user_agent: userAgent, ...person, detail: detail && JSON.stringify(detail) };
}
