import { type Kysely, sql } from 'kysely';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';

/** Events of accounts, such as sign-ins. They are inserted with the usage batches, see ../statistics/usage-batches.ts. */
export function createActivityStore(db: Kysely<Database>) {
  return {
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
