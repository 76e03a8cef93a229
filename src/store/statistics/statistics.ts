import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Statistics } from '../../contract/statistics.ts';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { readWithPending } from './pending-usage.ts';
import { callKey, promptKey, renderErrorKey } from './statistics-keys.ts';
import type { UsageCounts } from './usage-counts.ts';

type StatisticsTable = 'call_statistics' | 'prompt_statistics';

/** An account's calls from `from` to `to` (exclusive), as hours (`2026-03-01T14`) or days (`2026-03-01`), which sort together. */
interface StatisticsRange {
  accountId: string;
  from: string;
  to: string;
}

interface StatisticsQuery extends StatisticsRange {
  interval: Statistics['interval'];
  /** Only calls with this status. */
  status?: number | undefined;
}

export interface StatisticsRows {
  /** A time may come several times. */
  series: { time: string; calls: number; errors: number }[];
  /** A combination of route, status and bucket may come several times. */
  routes: { route: string; status: number; bucket: number; calls: number }[];
  prompts: { promptId: string; version: number; label: string; calls: number; errors: number }[];
}

/** Rows that one query adds up. More only if one hour alone has more. */
const windowRows = 5000;
const maxPauseMs = 50;
const timeLength = { hour: '2026-03-01T14'.length, day: '2026-03-01'.length };

export function createStatisticsStore(db: Kysely<Database>) {
  return {
    /**
     * Reads and adds up a range, part by part, because adding up half a million rows would block the embedded database for seconds.
     * Calls that are counted meanwhile may be in one part of the result and not in another.
     */
    async read(query: StatisticsQuery): Promise<StatisticsRows> {
      return readWithPending(db, query.accountId, async (pending) => {
        const { series, routes, prompts: pendingPrompts } = toRows(pending, query);
        for await (const window of splitRange(db, 'call_statistics', query)) {
          series.push(...(await selectSeries(db, window).execute()));
          routes.push(...(await selectRoutes(db, window).execute()));
        }
        const prompts = new Map<string, StatisticsRows['prompts'][number]>();
        for (const row of pendingPrompts) addPrompt(prompts, row);
        for await (const window of splitRange(db, 'prompt_statistics', query)) {
          for (const row of await selectPrompts(db, window).execute()) addPrompt(prompts, row);
        }
        return { series, routes, prompts: [...prompts.values()] };
      });
    },

    /** The names of prompts by id, also of those in the bin. */
    async findPromptNames(accountId: string, ids: string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('prompts')
        .select(['id', 'name'])
        .where('account_id', '=', accountId)
        .where('id', 'in', ids)
        .execute();
      return new Map(rows.map(({ id, name }) => [id, name]));
    },

    /** Deletes a batch and returns its size. */
    async deleteBefore(day: string): Promise<number> {
      const where = sql`time < ${day}`;
      return (
        (await deleteBatch(db, { table: 'call_statistics', key: callKey, where })) ||
        (await deleteBatch(db, { table: 'prompt_statistics', key: promptKey, where })) ||
        (await deleteBatch(db, { table: 'render_errors', key: renderErrorKey, where }))
      );
    },
  };
}

/** The counts that are not in rows yet, as far as they are in the range. */
function toRows(pending: UsageCounts, { from, to, interval, status }: StatisticsQuery): StatisticsRows {
  const isWanted = (row: { time: string; status: number }) =>
    row.time >= from && row.time < to && (status === undefined || row.status === status);
  const calls = pending.calls.filter(isWanted);
  return {
    series: calls.map((row) => ({ time: row.time.slice(0, timeLength[interval]), calls: row.calls, errors: errorsIn(row) })),
    routes: calls,
    prompts: pending.prompts.filter(isWanted).map((row) => ({ ...row, errors: errorsIn(row) })),
  };
}

function errorsIn({ status, calls }: { status: number; calls: number }): number {
  return status >= 400 ? calls : 0;
}

/** Splits a range into windows of about `windowRows` rows, with pauses for requests in between. */
async function* splitRange(db: Kysely<Database>, table: StatisticsTable, range: StatisticsQuery): AsyncGenerator<StatisticsQuery> {
  for (let from = range.from; ; ) {
    const startedAt = performance.now();
    const end = await selectWindowEnd(db, table, { ...range, from }).executeTakeFirst();
    yield { ...range, from, to: end?.time ?? range.to };
    if (!end) return;
    from = end.time;
    await delay(Math.min(performance.now() - startedAt, maxPauseMs));
  }
}

/** The first time after `from` before which there are enough rows; none if the rest of the range has fewer. */
export function selectWindowEnd(db: Kysely<Database>, table: StatisticsTable, range: StatisticsRange) {
  const last = db
    .selectFrom(table)
    .select('time')
    .where('account_id', '=', range.accountId)
    .where('time', '>=', range.from)
    .where('time', '<', range.to)
    .orderBy('time')
    .offset(windowRows)
    .limit(1);
  return db
    .selectFrom(table)
    .select('time')
    .where('account_id', '=', range.accountId)
    .where('time', '>', range.from)
    .where('time', '<', range.to)
    .where('time', '>=', last)
    .orderBy('time')
    .limit(1);
}

function addPrompt(prompts: Map<string, StatisticsRows['prompts'][number]>, row: StatisticsRows['prompts'][number]): void {
  const key = `${row.promptId} ${row.version} ${row.label}`;
  const known = prompts.get(key);
  if (known) {
    known.calls += row.calls;
    known.errors += row.errors;
  } else prompts.set(key, row);
}

export function selectSeries(db: Kysely<Database>, range: StatisticsQuery) {
  const time = sql<string>`substr(time, 1, ${sql.lit(timeLength[range.interval])})`;
  return db
    .selectFrom('call_statistics')
    .select((eb) => [time.as('time'), eb.fn.sum<number>('calls').as('calls'), errors.as('errors')])
    .where('account_id', '=', range.accountId)
    .where('time', '>=', range.from)
    .where('time', '<', range.to)
    .$if(range.status !== undefined, (query) => query.where('status', '=', range.status ?? 0))
    .groupBy(time);
}

export function selectRoutes(db: Kysely<Database>, range: StatisticsQuery) {
  return db
    .selectFrom('call_statistics')
    .select((eb) => ['route', 'status', 'bucket', eb.fn.sum<number>('calls').as('calls')])
    .where('account_id', '=', range.accountId)
    .where('time', '>=', range.from)
    .where('time', '<', range.to)
    .$if(range.status !== undefined, (query) => query.where('status', '=', range.status ?? 0))
    .groupBy(['route', 'status', 'bucket']);
}

export function selectPrompts(db: Kysely<Database>, range: StatisticsQuery) {
  return db
    .selectFrom('prompt_statistics')
    .select((eb) => ['prompt_id as promptId', 'version', 'label', eb.fn.sum<number>('calls').as('calls'), errors.as('errors')])
    .where('account_id', '=', range.accountId)
    .where('time', '>=', range.from)
    .where('time', '<', range.to)
    .$if(range.status !== undefined, (query) => query.where('status', '=', range.status ?? 0))
    .groupBy(['prompt_id', 'version', 'label']);
}

const errors = sql<number>`sum(case when status >= 400 then calls else 0 end)`;
