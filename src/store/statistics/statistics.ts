import { type Kysely, type Selectable, sql } from 'kysely';
import type { Statistics } from '../../contract/statistics.ts';
import { createRest, splitInTurns } from '../../event-loop.ts';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { readWithPending } from './pending-usage.ts';
import { callKey, promptKey, renderErrorKey } from './statistics-keys.ts';
import type { CallCount } from './usage-counts.ts';

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

type PromptCounterKey = Omit<Selectable<Database['prompt_statistics']>, 'account_id' | 'calls'>;

/** A part of the counters, which is found by the primary key, because one hour alone may have half a million. */
interface PromptWindow extends StatisticsQuery {
  after: PromptCounterKey | undefined;
  /** Without it, the window ends with the range. */
  last: PromptCounterKey | undefined;
}

export interface CallRows {
  series: { time: string; calls: number; errors: number }[];
  routes: { route: string; status: number; bucket: number; calls: number }[];
}

export interface PromptRow {
  promptId: string;
  version: number;
  label: string;
  calls: number;
  errors: number;
}

/** Each reads part by part. What has the same time, route or prompt may come several times, and is to be added up. */
export interface StatisticsReader {
  calls(): AsyncGenerator<CallRows>;
  prompts(): AsyncGenerator<PromptRow[]>;
}

/** Rows that one query adds up. More only if one hour alone has more. */
const windowRows = 5000;
const promptWindowRows = 2000;
const timeLength = { hour: '2026-03-01T14'.length, day: '2026-03-01'.length };

export function createStatisticsStore(db: Kysely<Database>) {
  return {
    /**
     * Reads a range part by part, because half a million rows at once would block the embedded database for seconds. Calls that are
     * counted meanwhile may be in one part of the result and not in another. Calls `read` again if it may have counted calls twice or not
     * at all.
     */
    async read<T>(query: StatisticsQuery, read: (reader: StatisticsReader) => Promise<T>): Promise<T> {
      const isWanted = ({ time, status }: { time: string; status: number }) =>
        time >= query.from && time < query.to && (query.status === undefined || status === query.status);
      return readWithPending(db, query.accountId, (pending) =>
        read({
          async *calls() {
            for await (const part of splitInTurns(pending.calls)) yield toCallRows(part.filter(isWanted), query.interval);
            for await (const window of splitRange(db, query)) {
              yield { series: await selectSeries(db, window).execute(), routes: await selectRoutes(db, window).execute() };
            }
          },

          async *prompts() {
            for await (const part of splitInTurns(pending.prompts)) yield part.filter(isWanted).map(withErrors);
            for await (const window of splitPrompts(db, query)) yield await selectPrompts(db, window).execute();
          },
        }),
      );
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

function toCallRows(calls: CallCount[], interval: StatisticsQuery['interval']): CallRows {
  return { series: calls.map((row) => ({ ...withErrors(row), time: row.time.slice(0, timeLength[interval]) })), routes: calls };
}

function withErrors<Row extends { status: number; calls: number }>(row: Row): Row & { errors: number } {
  return { ...row, errors: row.status >= 400 ? row.calls : 0 };
}

/** Splits a range into windows of about `windowRows` rows, with rests in between. */
async function* splitRange(db: Kysely<Database>, range: StatisticsQuery): AsyncGenerator<StatisticsQuery> {
  const rest = createRest();
  for (let from = range.from; ; ) {
    const end = await selectWindowEnd(db, { ...range, from }).executeTakeFirst();
    yield { ...range, from, to: end?.time ?? range.to };
    if (!end) return;
    from = end.time;
    await rest();
  }
}

/** Splits the counters of prompts in a range into windows of `promptWindowRows`, with rests in between. */
async function* splitPrompts(db: Kysely<Database>, range: StatisticsQuery): AsyncGenerator<PromptWindow> {
  const rest = createRest();
  for (let after: PromptCounterKey | undefined; ; ) {
    const last: PromptCounterKey | undefined = await selectPromptWindowEnd(db, { ...range, after }).executeTakeFirst();
    yield { ...range, after, last };
    if (!last) return;
    after = last;
    await rest();
  }
}

/** The first time after `from` before which there are enough rows; none if the rest of the range has fewer. */
export function selectWindowEnd(db: Kysely<Database>, range: StatisticsRange) {
  const last = db
    .selectFrom('call_statistics')
    .select('time')
    .where('account_id', '=', range.accountId)
    .where('time', '>=', range.from)
    .where('time', '<', range.to)
    .orderBy('time')
    .offset(windowRows)
    .limit(1);
  return db
    .selectFrom('call_statistics')
    .select('time')
    .where('account_id', '=', range.accountId)
    .where('time', '>', range.from)
    .where('time', '<', range.to)
    .where('time', '>=', last)
    .orderBy('time')
    .limit(1);
}

/** The last counter of a full window; none if the rest of the range has fewer. */
export function selectPromptWindowEnd(db: Kysely<Database>, window: Omit<PromptWindow, 'last'>) {
  return selectCounters(db, { ...window, last: undefined })
    .select(['time', 'prompt_id', 'version', 'label', 'status'])
    .offset(promptWindowRows - 1)
    .limit(1);
}

/** In the order of the primary key, which the limits of those who use it make the engines read by. */
function selectCounters(db: Kysely<Database>, { accountId, from, to, after, last }: PromptWindow) {
  const key = sql`(time, prompt_id, version, label, status)`;
  const valuesOf = ({ time, prompt_id, version, label, status }: PromptCounterKey) =>
    sql`(${time}, ${prompt_id}, ${version}, ${label}, ${status})`;
  return db
    .selectFrom('prompt_statistics')
    .where('account_id', '=', accountId)
    .where(after ? sql<boolean>`${key} > ${valuesOf(after)}` : sql<boolean>`time >= ${from}`)
    .where(last ? sql<boolean>`${key} <= ${valuesOf(last)}` : sql<boolean>`time < ${to}`)
    .orderBy('time')
    .orderBy('prompt_id')
    .orderBy('version')
    .orderBy('label')
    .orderBy('status');
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

export function selectPrompts(db: Kysely<Database>, window: PromptWindow) {
  const counters = selectCounters(db, window).select(['prompt_id', 'version', 'label', 'status', 'calls']).limit(promptWindowRows);
  return db
    .selectFrom(counters.as('counters'))
    .select((eb) => ['prompt_id as promptId', 'version', 'label', eb.fn.sum<number>('calls').as('calls'), errors.as('errors')])
    .$if(window.status !== undefined, (query) => query.where('status', '=', window.status ?? 0))
    .groupBy(['prompt_id', 'version', 'label']);
}

const errors = sql<number>`sum(case when status >= 400 then calls else 0 end)`;
