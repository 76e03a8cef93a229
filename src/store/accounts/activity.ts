import { type Kysely, sql } from 'kysely';
import type { AccountEvent } from '../../contract/activity.ts';
import { createChunkRunner, type RowStatement } from '../chunked-statements.ts';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

/** An event of an account's activity, and `account_deleted`, which only the log shows. */
export type AccountEventRecord = Omit<AccountEvent, 'type' | 'by' | 'detail'> &
  Partial<Pick<AccountEvent, 'by' | 'detail'>> & { accountId: string; type: string };

/** Events of accounts, such as sign-ins. */
export function createActivityStore(db: Kysely<Database>) {
  const runInChunks = createChunkRunner(db);
  return {
    /**
     * Adds events, unless they are there already. Accounts may have been deleted since; if one is deleted right now, this fails, and the
     * next attempt skips the account.
     */
    async add(events: AccountEventRecord[]): Promise<void> {
      await runTransaction(db, async (transaction) => {
        const ids = [...new Set(events.map(({ accountId }) => accountId))].map((id) => [id]);
        const existing = new Set((await runInChunks<{ id: string }>(transaction, selectAccounts, ids)).map(({ id }) => id));
        const rows = events.filter(({ accountId }) => existing.has(accountId)).map(toRow);
        await runInChunks(transaction, insertEvents, rows);
      });
    },

    /** A page of an account's events, newest first: ids sort by time. */
    async list(accountId: string, page: { beforeId: string | undefined; limit: number }) {
      let query = db
        .selectFrom('account_events')
        .select(['id', 'type', 'at', 'address', 'user_agent as userAgent', 'by_account_id as byAccountId', 'by_name as byName', 'detail'])
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .limit(page.limit);
      if (page.beforeId !== undefined) query = query.where('id', '<', page.beforeId);
      return query.execute();
    },

    /** Deletes a batch and returns its size. */
    async deleteBefore(time: Date): Promise<number> {
      return deleteBatch(db, { table: 'account_events', key: ['account_id', 'id'], where: sql`at < ${time.toISOString()}` });
    },
  };
}

const selectAccounts: RowStatement = (db, rowCount) =>
  db.selectFrom('accounts').select('id').where('id', 'in', Array(rowCount).fill('')).where('deleted_at', 'is', null);

const emptyRow = { account_id: '', id: '', type: '', at: '', address: '', user_agent: '', by_account_id: '', by_name: '', detail: '' };

const insertEvents: RowStatement = (db, rowCount) =>
  db
    .insertInto('account_events')
    .values(Array(rowCount).fill(emptyRow))
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing());

function toRow({ accountId, id, type, at, address, userAgent, by, detail }: AccountEventRecord) {
  return [accountId, id, type, at, address, userAgent, by?.userId ?? null, by?.name ?? null, detail ? JSON.stringify(detail) : null];
}
