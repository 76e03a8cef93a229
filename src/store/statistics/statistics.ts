import { type Kysely, sql } from 'kysely';
import type { Statistics } from '../../contract/statistics.ts';
import type { Database } from '../tables.ts';
import type { StatisticsDatabase } from './tables.ts';

/** An account's calls from `from` to `to` (exclusive), as hours (`2026-03-01T14`) or days (`2026-03-01`), which sort together. */
export interface StatisticsQuery {
  accountId: string;
  from: string;
  to: string;
  interval: Statistics['interval'];
  /** Only calls with this status. */
  status?: number | undefined;
}

const timeLength = { hour: '2026-03-01T14'.length, day: '2026-03-01'.length };
const maxPrompts = 500;
const maxVersions = 100;

export function createStatisticsStore(db: Kysely<Database>, statistics: Kysely<StatisticsDatabase>) {
  return {
    /** All calls of a workspace, as they are at one moment. */
    async readWorkspace(query: StatisticsQuery) {
      return readSnapshot(statistics, async (snapshot) => {
        const { series, routes, statuses, buckets, versions } = selectWorkspace(snapshot, query);
        return {
          series: await series.execute(),
          routes: await routes.execute(),
          statuses: await statuses.execute(),
          buckets: await buckets.execute(),
          versions: await versions.execute(),
        };
      });
    },

    /** The names of prompts by id, also of those in the bin. */
    async findPromptNames(accountId: string, ids: string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const prompts = db.selectFrom('prompts').select(['id', 'name']).where('account_id', '=', accountId).where('id', 'in', ids);
      return new Map((await prompts.execute()).map(({ id, name }) => [id, name]));
    },
  };
}

/** Runs queries that see the same counts, whatever is written meanwhile. */
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
    versions: selectVersions(db, query),
  };
}

/**
 * The most called versions of the most called prompts, in this order, each with the counts of its prompt. A prompt that was only called
 * without a version has a row of version 0.
 */
function selectVersions(db: Kysely<StatisticsDatabase>, query: StatisticsQuery) {
  const counted = db
    .selectFrom('prompt_statistics')
    .where(isInRange(query))
    .select(['prompt_id as promptId', 'version', 'label', calls, errors])
    .groupBy(['prompt_id', 'version', 'label']);
  const place = sql<number>`row_number() over
    (partition by "promptId" order by case version when 0 then 1 else 0 end, calls desc, version, label)`;
  const summed = db
    .selectFrom(counted.as('counted'))
    .selectAll()
    .select(sql<number>`sum(calls) over (partition by "promptId")`.as('promptCalls'))
    .select(sql<number>`sum(errors) over (partition by "promptId")`.as('promptErrors'))
    .select(place.as('place'));
  const ranked = db
    .selectFrom(summed.as('summed'))
    .selectAll()
    .select(sql<number>`dense_rank() over (order by "promptCalls" desc, "promptId")`.as('promptPlace'))
    .where('place', '<=', maxVersions);
  return db
    .selectFrom(ranked.as('ranked'))
    .select(['promptId', 'version', 'label', 'calls', 'promptCalls', 'promptErrors'])
    .where('promptPlace', '<=', maxPrompts)
    .orderBy('promptPlace')
    .orderBy('place');
}

export function isInRange({ accountId, from, to, status }: StatisticsQuery) {
  const hasStatus = status === undefined ? sql`` : sql`and status = ${status}`;
  return sql<boolean>`account_id = ${accountId} and time >= ${from} and time < ${to} ${hasStatus}`;
}

/** The interval that a row belongs to. In an hourly series, a day that has been rolled up stays a day. */
export function timeOf({ interval }: Pick<StatisticsQuery, 'interval'>) {
  return sql<string>`substr(time, 1, ${sql.lit(timeLength[interval])})`;
}

export const calls = sql<number>`sum(calls)`.as('calls');
export const errors = sql<number>`sum(case when status >= 400 then calls else 0 end)`.as('errors');
