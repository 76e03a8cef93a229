import { type Kysely, sql } from 'kysely';
import type { Statistics } from '../../contract/statistics.ts';
import { createRest, splitInTurns } from '../../platform/event-loop.ts';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { readWithPending } from './pending-usage.ts';
import { callKey, promptKey, renderErrorKey } from './statistics-keys.ts';
import type { CallCount } from './usage-counts.ts';

/** An account's calls from `from` to `to` (exclusive), as hours (`2026-03-01T14`) or days (`2026-03-01`), which sort together. */
interface StatisticsQuery {
  accountId: string;
  from: string;
  to: string;
  interval: Statistics['interval'];
  /** Only calls with this status. */
  status?: number | undefined;
}

/** The primary key of a row, without the account. */
type RowKey = Record<string, string | number>;

/** A part of the rows of a range, between two of them, because one hour alone may have half a million. */
interface StatisticsWindow extends StatisticsQuery {
  after: RowKey | undefined;
  /** Without it, the window ends with the range. */
  last: RowKey | undefined;
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

type StatisticsTable = 'call_statistics' | 'prompt_statistics';

const keys = { call_statistics: callKey, prompt_statistics: promptKey };
/** Rows that one query adds up. */
const windowRows = 2000;
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
            for await (const window of splitRange(db, 'call_statistics', query)) {
              yield { series: await selectSeries(db, window).execute(), routes: await selectRoutes(db, window).execute() };
            }
          },

          async *prompts() {
            for await (const part of splitInTurns(pending.prompts)) yield part.filter(isWanted).map(withErrors);
            for await (const window of splitRange(db, 'prompt_statistics', query)) yield await selectPrompts(db, window).execute();
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

/** Splits a range into windows of `windowRows` rows, with rests in between. */
async function* splitRange(db: Kysely<Database>, table: StatisticsTable, range: StatisticsQuery): AsyncGenerator<StatisticsWindow> {
  const rest = createRest();
  for (let after: RowKey | undefined; ; ) {
    const last: RowKey | undefined = await selectWindowEnd(db, table, { ...range, after, last: undefined }).executeTakeFirst();
    yield { ...range, after, last };
    if (!last) return;
    after = last;
    await rest();
  }
}

/** The last row of a full window; none if the rest of the range has fewer. */
export function selectWindowEnd(db: Kysely<Database>, table: StatisticsTable, window: StatisticsWindow) {
  return selectRows(db, table, window)
    .select(columnsOf(table).map((column) => sql.ref<string | number>(column).as(column)))
    .offset(windowRows - 1)
    .limit(1);
}

/** In the order of the primary key, which the limits of those who use it make the engines read by. */
function selectRows(db: Kysely<Database>, table: StatisticsTable, { accountId, from, to, after, last }: StatisticsWindow) {
  const columns = columnsOf(table);
  const key = sql`(${sql.join(columns.map((column) => sql.ref(column)))})`;
  const valuesOf = (row: RowKey) => sql`(${sql.join(columns.map((column) => row[column]))})`;
  const rows = db
    .selectFrom(table)
    .where('account_id', '=', accountId)
    .where(after ? sql<boolean>`${key} > ${valuesOf(after)}` : sql<boolean>`time >= ${from}`)
    .where(last ? sql<boolean>`${key} <= ${valuesOf(last)}` : sql<boolean>`time < ${to}`);
  return columns.reduce((query, column) => query.orderBy(sql.ref(column)), rows);
}

function columnsOf(table: StatisticsTable): string[] {
  return keys[table].filter((column) => column !== 'account_id');
}

export function selectSeries(db: Kysely<Database>, window: StatisticsWindow) {
  const time = sql<string>`substr(time, 1, ${sql.lit(timeLength[window.interval])})`;
  return selectWindow(db, 'call_statistics', window)
    .select((eb) => [time.as('time'), eb.fn.sum<number>('calls').as('calls'), errors.as('errors')])
    .groupBy(time);
}

export function selectRoutes(db: Kysely<Database>, window: StatisticsWindow) {
  return selectWindow(db, 'call_statistics', window)
    .select((eb) => [
      sql.ref<string>('route').as('route'),
      'status',
      sql.ref<number>('bucket').as('bucket'),
      eb.fn.sum<number>('calls').as('calls'),
    ])
    .groupBy(sql`route, status, bucket`);
}

export function selectPrompts(db: Kysely<Database>, window: StatisticsWindow) {
  return selectWindow(db, 'prompt_statistics', window)
    .select((eb) => [
      sql.ref<string>('prompt_id').as('promptId'),
      sql.ref<number>('version').as('version'),
      sql.ref<string>('label').as('label'),
      eb.fn.sum<number>('calls').as('calls'),
      errors.as('errors'),
    ])
    .groupBy(sql`prompt_id, version, label`);
}

function selectWindow(db: Kysely<Database>, table: StatisticsTable, window: StatisticsWindow) {
  const rows = selectRows(db, table, window).selectAll().limit(windowRows).as('rows');
  return db.selectFrom(rows).$if(window.status !== undefined, (query) => query.where('status', '=', window.status ?? 0));
}

const errors = sql<number>`sum(case when status >= 400 then calls else 0 end)`;
