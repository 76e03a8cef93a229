import { type Kysely, sql } from 'kysely';
import type { Statistics } from '../../contract/statistics.ts';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { callKey, promptKey } from './statistics-keys.ts';

/** An account's calls from `from` to `to` (exclusive), as hours (`2026-03-01T14`) or days (`2026-03-01`), which sort together. */
interface StatisticsRange {
  accountId: string;
  from: string;
  to: string;
}

export interface StatisticsRows {
  series: { time: string; calls: number; errors: number }[];
  routes: { route: string; status: number; bucket: number; calls: number }[];
  prompts: { promptId: string; name: string | null; version: number; label: string; calls: number; errors: number }[];
  keyLastUsedAt: string | null;
}

export function createStatisticsStore(db: Kysely<Database>) {
  return {
    /** Reads everything about a range from one snapshot. */
    async read(range: StatisticsRange & { interval: Statistics['interval'] }): Promise<StatisticsRows> {
      return db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (transaction) => ({
          series: await selectSeries(transaction, range).execute(),
          routes: await selectRoutes(transaction, range).execute(),
          prompts: await selectPrompts(transaction, range).execute(),
          keyLastUsedAt: (await selectKeyUse(transaction, range.accountId).executeTakeFirst())?.lastUsedAt ?? null,
        }));
    },

    /** Deletes a batch and returns its size. */
    async deleteBefore(day: string): Promise<number> {
      const where = sql`time < ${day}`;
      const calls = await deleteBatch(db, { table: 'call_statistics', key: callKey, where });
      return calls > 0 ? calls : deleteBatch(db, { table: 'prompt_statistics', key: promptKey, where });
    },
  };
}

export function selectSeries(db: Kysely<Database>, range: StatisticsRange & { interval: Statistics['interval'] }) {
  const time = sql<string>`substr(time, 1, ${sql.lit(range.interval === 'hour' ? 13 : 10)})`;
  return db
    .selectFrom('call_statistics')
    .select((eb) => [time.as('time'), eb.fn.sum<number>('calls').as('calls'), errors.as('errors')])
    .where('account_id', '=', range.accountId)
    .where('time', '>=', range.from)
    .where('time', '<', range.to)
    .groupBy(time);
}

export function selectRoutes(db: Kysely<Database>, range: StatisticsRange) {
  return db
    .selectFrom('call_statistics')
    .select((eb) => ['route', 'status', 'bucket', eb.fn.sum<number>('calls').as('calls')])
    .where('account_id', '=', range.accountId)
    .where('time', '>=', range.from)
    .where('time', '<', range.to)
    .groupBy(['route', 'status', 'bucket']);
}

export function selectPrompts(db: Kysely<Database>, range: StatisticsRange) {
  const counted = db
    .selectFrom('prompt_statistics')
    .select((eb) => ['account_id', 'prompt_id', 'version', 'label', eb.fn.sum<number>('calls').as('calls'), errors.as('errors')])
    .where('account_id', '=', range.accountId)
    .where('time', '>=', range.from)
    .where('time', '<', range.to)
    .groupBy(['account_id', 'prompt_id', 'version', 'label'])
    .as('counted');
  return db
    .selectFrom(counted)
    .leftJoin('prompts', (join) =>
      join.onRef('prompts.account_id', '=', 'counted.account_id').onRef('prompts.id', '=', 'counted.prompt_id'),
    )
    .select([
      'counted.prompt_id as promptId',
      'prompts.name as name',
      'counted.version as version',
      'counted.label as label',
      'counted.calls as calls',
      'counted.errors as errors',
    ]);
}

/** The last use of the current key, not of an earlier one. */
export function selectKeyUse(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('key_uses')
    .innerJoin('accounts', 'accounts.id', 'key_uses.account_id')
    .select('key_uses.last_used_at as lastUsedAt')
    .where('key_uses.account_id', '=', accountId)
    .whereRef('key_uses.key_serial', '=', 'accounts.key_serial');
}

const errors = sql<number>`sum(case when status >= 400 then calls else 0 end)`;
