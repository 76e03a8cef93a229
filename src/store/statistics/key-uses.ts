import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import type { StatisticsDatabase } from './tables.ts';

export function createKeyUseStore(db: Kysely<Database>, statistics: Kysely<StatisticsDatabase>) {
  return {
    /** When the current keys of some accounts were last used. Without those that never were. */
    async findLastUses(accountIds: string[]): Promise<Map<string, string>> {
      if (accountIds.length === 0) return new Map();
      const accounts = await db.selectFrom('accounts').select(['id', 'key_serial as keySerial']).where('id', 'in', accountIds).execute();
      const serials = new Map(accounts.map(({ id, keySerial }) => [id, keySerial]));
      const uses = await statistics.selectFrom('key_uses').selectAll().where('account_id', 'in', accountIds).execute();
      return new Map(uses.flatMap((use) => (serials.get(use.account_id) === use.key_serial ? [[use.account_id, use.last_used_at]] : [])));
    },
  };
}
