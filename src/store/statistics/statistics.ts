import { type Kysely, sql } from 'kysely';
import type { Statistics } from '../../contract/statistics.ts';
import type { Database } from '../tables.ts';
import type { StatisticsDatabase } from './tables.ts';

/**
 * Selects an account's calls from `from` to `to` (exclusive). Both are hours (`2026-03-01T14`) or days (`2026-03-01`), which can be
 * compared as text.
 */
export interface StatisticsQuery {
  accountId: string;
  from: string;
  to: string;
  interval: Statistics['interval'];
  /** If set, only calls with this status are selected. */
  status?: number | undefined;
}

const maxPrompts = 500;
const maxVersions = 5000;
/** The maximum number of members. No workspace has more, even including people who have left. */
const maxMembers = 1000;

export function createStatisticsStore(db: Kysely<Database>, statistics: Kysely<StatisticsDatabase>) {
  return {
    /** Reads all calls of a workspace from one snapshot. */
    async readWorkspace(query: StatisticsQuery) {
      return readSnapshot(statistics, async (snapshot) => {
        const { series, routes, statuses, buckets, prompts, versions, members } = selectWorkspace(snapshot, query);
        const busiest = await prompts.execute();
        return {
          series: await series.execute(),
          routes: await routes.execute(),
          statuses: await statuses.execute(),
          buckets: await buckets.execute(),
          members: await members.execute(),
          prompts: busiest,
          versions: busiest.length === 0 ? [] : await versions(busiest.map(({ promptId }) => promptId)).execute(),
        };
      });
    },

    /** Finds the times at which the current keys of the given accounts were last used. Keys that were never used are left out. */
    async findKeyUses(accountIds: string[]): Promise<Map<string, string>> {
      if (accountIds.length === 0) return new Map();
      const accounts = await db.selectFrom('accounts').select(['id', 'key_serial as keySerial']).where('id', 'in', accountIds).execute();
      const serials = new Map(accounts.map(({ id, keySerial }) => [id, keySerial]));
      const uses = await statistics.selectFrom('key_uses').selectAll().where('account_id', 'in', accountIds).execute();
      return new Map(uses.flatMap((use) => (serials.get(use.account_id) === use.key_serial ? [[use.account_id, use.last_used_at]] : [])));
    },

    /** Finds the names of prompts by id, including prompts in the bin. */
    async findPromptNames(accountId: string, ids: string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const prompts = db.selectFrom('prompts').select(['id', 'name']).where('account_id', '=', accountId).where('id', 'in', ids);
      return new Map((await prompts.execute()).map(({ id, name }) => [id, name]));
    },
  };
}

/** Runs queries that see the same counts, even if other counts are written in the meantime. */
export function readSnapshot<T>(db: Kysely<StatisticsDatabase>, read: (snapshot: Kysely<StatisticsDatabase>) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

export function selectWorkspace(db: Kysely<StatisticsDatabase>, query: StatisticsQuery) {
  const time = timeOf(query);
  const rows = db.selectFrom('call_statistics').where(isInRange(query));
  return {
    series: rows.select([time.as('time'), calls, errors]).groupBy(time),
    routes: rows.select(['route', calls, errors]).groupBy('route').orderBy(sql`calls desc, route`),
    statuses: rows.select(['status', calls]).groupBy('status').orderBy('status'),
    buckets: rows.select(['bucket', calls]).groupBy('bucket'),
    prompts: db
      .selectFrom('prompt_statistics')
      .where(isInRange(query))
      .select(['prompt_id as promptId', calls, errors])
      .groupBy('prompt_id')
      .orderBy(sql`calls desc, prompt_id`)
      .limit(maxPrompts),
    versions: (promptIds: string[]) => selectVersions(db, query, promptIds),
    members: db
      .selectFrom('member_statistics')
      .where(isInRange(query))
      .select(['member_id as memberId', calls, errors])
      .groupBy('member_id')
      .orderBy(sql`calls desc, member_id`)
      .limit(maxMembers),
  };
}

/** Selects the most called versions of the given prompts, most calls first. */
function selectVersions(db: Kysely<StatisticsDatabase>, query: StatisticsQuery, promptIds: string[]) {
  return db
    .selectFrom('prompt_statistics')
    .where(isInRange(query))
    .where('prompt_id', 'in', promptIds)
    .where('version', '>', 0)
    .select(['prompt_id as promptId', 'version', 'label', calls])
    .groupBy(['prompt_id', 'version', 'label'])
    .orderBy(sql`calls desc, prompt_id, version, label`)
    .limit(maxVersions);
}

export function isInRange({ accountId, from, to, status }: StatisticsQuery) {
  const hasStatus = status === undefined ? sql`` : sql`and status = ${status}`;
  return sql<boolean>`account_id = ${accountId} and time >= ${from} and time < ${to} ${hasStatus}`;
}

/** Selects the interval to which a row belongs. In an hourly series, an aggregated day remains a day. The rows are already in order. */
export function timeOf({ interval }: Pick<StatisticsQuery, 'interval'>) {
  return interval === 'hour' ? sql<string>`time` : sql<string>`substr(time, 1, ${sql.lit('2026-03-01'.length)})`;
}

export const calls = sql<number>`sum(calls)`.as('calls');
export const errors = sql<number>`sum(case when status >= 400 then calls else 0 end)`.as('errors');
