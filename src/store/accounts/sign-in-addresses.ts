import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

/** Reads and writes the addresses from which accounts have signed in. */
export function createSignInAddressStore(db: Kysely<Database>) {
  return {
    /** Adds an address, or records that it was used again, and deletes the account's addresses that were not used since `forgetBefore`. */
    async add({ accountId, address, forgetBefore }: { accountId: string; address: string; forgetBefore: Date }): Promise<void> {
      const now = new Date().toISOString();
      await runTransaction(db, async (transaction) => {
        await transaction
          .deleteFrom('sign_in_addresses')
          .where('account_id', '=', accountId)
          .where('last_used_at', '<', forgetBefore.toISOString())
          .execute();
        await transaction
          .insertInto('sign_in_addresses')
          .values({ account_id: accountId, address, last_used_at: now })
          .onConflict((conflict) => conflict.columns(['account_id', 'address']).doUpdateSet({ last_used_at: now }))
          .execute();
      });
    },

    /** Lists the most recently used addresses. */
    async list(accountId: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('sign_in_addresses')
        .select('address')
        .where('account_id', '=', accountId)
        .orderBy('last_used_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ address }) => address);
    },
  };
}
