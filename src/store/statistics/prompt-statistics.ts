import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import { readWithPending } from './pending-usage.ts';

/** The rows of one prompt at the given times, which are all hours and days of a range. */
interface PromptStatisticsQuery {
  accountId: string;
  promptId: string;
  times: string[];
  status: number | undefined;
}

export interface PromptRow {
  time: string;
  version: number;
  label: string;
  status: number;
  calls: number;
}

/** Times that one query looks up. */
const timesPerQuery = 50;
const maxPauseMs = 50;

export interface PromptStatisticsReader {
  rows(status: number | undefined): AsyncGenerator<PromptRow[]>;
  /** A cause may come several times. */
  errors(): AsyncGenerator<ErrorRow[]>;
}

interface ErrorRow {
  code: string;
  name: string;
  calls: number;
}

/**
 * The statistics of one prompt. Its rows are looked up time by time: the primary key starts with account, time and prompt, so neither
 * the other prompts' rows are read nor is another index needed. They are read part by part, with pauses for requests in between.
 */
export function createPromptStatisticsStore(db: Kysely<Database>) {
  return {
    /** Calls `read` again if the statistics were changed in a way that it may have counted calls twice or not at all. */
    async read<T>(query: Omit<PromptStatisticsQuery, 'status'>, read: (reader: PromptStatisticsReader) => Promise<T>): Promise<T> {
      const times = new Set(query.times);
      const isWanted = (row: { promptId: string; time: string }) => row.promptId === query.promptId && times.has(row.time);
      return readWithPending(db, query.accountId, (pending) =>
        read({
          async *rows(status) {
            yield pending.prompts.filter((row) => isWanted(row) && (status === undefined || row.status === status));
            for await (const part of splitTimes(query.times)) yield await selectPromptRows(db, { ...query, times: part, status }).execute();
          },

          async *errors() {
            yield pending.renderErrors.filter(isWanted);
            for await (const part of splitTimes(query.times)) yield await selectRenderErrors(db, { ...query, times: part }).execute();
          },
        }),
      );
    },
  };
}

async function* splitTimes(times: string[]): AsyncGenerator<string[]> {
  for (let start = 0; start < times.length; start += timesPerQuery) {
    const startedAt = performance.now();
    yield times.slice(start, start + timesPerQuery);
    if (start + timesPerQuery < times.length) await delay(Math.min(performance.now() - startedAt, maxPauseMs));
  }
}

export function selectPromptRows(db: Kysely<Database>, { accountId, promptId, times, status }: PromptStatisticsQuery) {
  return db
    .selectFrom('prompt_statistics')
    .select(['time', 'version', 'label', 'status', 'calls'])
    .where('account_id', '=', accountId)
    .where('time', 'in', times)
    .where('prompt_id', '=', promptId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 0));
}

export function selectRenderErrors(db: Kysely<Database>, { accountId, promptId, times }: Omit<PromptStatisticsQuery, 'status'>) {
  return db
    .selectFrom('render_errors')
    .select((eb) => ['code', 'name', eb.fn.sum<number>('calls').as('calls')])
    .where('account_id', '=', accountId)
    .where('time', 'in', times)
    .where('prompt_id', '=', promptId)
    .groupBy(['code', 'name']);
}
