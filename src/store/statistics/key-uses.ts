import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import { readPendingKeyUses } from './pending-usage.ts';

export function createKeyUseStore(db: Kysely<Database>) {
  return {
    /** When the current keys of some accounts were last used. Without those that never were. */
    async findLastUses(accountIds: string[]): Promise<Map<string, string>> {
      if (accountIds.length === 0) return new Map();
      const pending = new Map<string, Awaited<ReturnType<typeof readPendingKeyUses>>>();
      for (const id of accountIds) pending.set(id, await readPendingKeyUses(db, id));
      // After the blocks, so that a use is found although it is moved from a block into its row meanwhile.
      const rows = await selectKeyUses(db, accountIds).execute();
      const lastUses = new Map<string, string>();
      for (const { id, keySerial, usedSerial, lastUsedAt } of rows) {
        const uses = (pending.get(id) ?? [])
          .filter((use) => use.keySerial === keySerial)
          .map(({ lastUsedMs }) => new Date(lastUsedMs).toISOString());
        if (lastUsedAt !== null && usedSerial === keySerial) uses.push(lastUsedAt);
        const last = uses.sort().at(-1);
        if (last !== undefined) lastUses.set(id, last);
      }
      return lastUses;
    },
  };
}

export function selectKeyUses(db: Kysely<Database>, accountIds: string[]) {
  return db
    .selectFrom('accounts')
    .leftJoin('key_uses', 'key_uses.account_id', 'accounts.id')
    .select(['accounts.id', 'accounts.key_serial as keySerial', 'key_uses.key_serial as usedSerial', 'key_uses.last_used_at as lastUsedAt'])
    .where('accounts.id', 'in', accountIds);
}
