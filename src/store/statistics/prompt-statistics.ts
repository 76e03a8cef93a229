import type { Kysely } from 'kysely';
import { createRest, splitInTurns } from '../../platform/event-loop.ts';
import type { Database } from '../tables.ts';
import { readWithPending } from './pending-usage.ts';

/** The rows of one prompt at the given times, which are all hours and days of a range, in order. */
interface PromptStatisticsQuery {
  accountId: string;
  promptId: string;
  times: string[];
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
/** Rows of one query: one hour alone may have half a million, of as many versions and labels. */
const sliceRows = 2000;

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

/** The statistics of one prompt, read part by part, with rests in between. */
export function createPromptStatisticsStore(db: Kysely<Database>) {
  return {
    /** Calls `read` again if the statistics were changed in a way that it may have counted calls twice or not at all. */
    async read<T>(query: PromptStatisticsQuery, read: (reader: PromptStatisticsReader) => Promise<T>): Promise<T> {
      const times = new Set(query.times);
      const isWanted = (row: { promptId: string; time: string }) => row.promptId === query.promptId && times.has(row.time);
      return readWithPending(db, query.accountId, (pending) =>
        read({
          async *rows(status) {
            const hasStatus = (row: PromptRow) => status === undefined || row.status === status;
            for await (const part of splitInTurns(pending.prompts)) yield part.filter((row) => isWanted(row) && hasStatus(row));
            for await (const part of readSlices(db, query)) yield part.filter(hasStatus);
          },

          async *errors() {
            for await (const part of splitInTurns(pending.renderErrors)) yield part.filter(isWanted);
            for await (const part of splitTimes(query.times)) yield await selectRenderErrors(db, { ...query, times: part }).execute();
          },
        }),
      );
    },
  };
}

/** All rows, part by part, with rests in between. */
export async function* readSlices(db: Kysely<Database>, query: PromptStatisticsQuery): AsyncGenerator<PromptRow[]> {
  const rest = createRest();
  for (let after: PromptRow | undefined; ; ) {
    const rows: PromptRow[] = await selectPromptRows(db, { ...query, after }).execute();
    yield rows;
    if (rows.length < sliceRows) return;
    after = rows.at(-1);
    await rest();
  }
}

async function* splitTimes(times: string[]): AsyncGenerator<string[]> {
  const rest = createRest();
  for (let start = 0; start < times.length; start += timesPerQuery) {
    yield times.slice(start, start + timesPerQuery);
    if (start + timesPerQuery < times.length) await rest();
  }
}

interface SliceQuery extends PromptStatisticsQuery {
  /** The last row of the previous slice. */
  after: PromptRow | undefined;
}

export function selectPromptRows(db: Kysely<Database>, { accountId, promptId, times, after }: SliceQuery) {
  const rows = db
    .selectFrom('prompt_statistics')
    .select(['time', 'version', 'label', 'status', 'calls'])
    .where('account_id', '=', accountId)
    .where('prompt_id', '=', promptId)
    .where('time', '<=', times.at(-1) ?? '')
    .orderBy('time')
    .orderBy('version')
    .orderBy('label')
    .orderBy('status')
    .limit(sliceRows);
  if (!after) return rows.where('time', '>=', times[0] ?? '');
  return rows.where((eb) =>
    eb(eb.refTuple('time', 'version', 'label', 'status'), '>', eb.tuple(after.time, after.version, after.label, after.status)),
  );
}

/** Looked up time by time: the primary key starts with account, time and prompt, so neither the rows of other prompts are read nor is another index needed. */
export function selectRenderErrors(db: Kysely<Database>, { accountId, promptId, times }: PromptStatisticsQuery) {
  return db
    .selectFrom('render_errors')
    .select((eb) => ['code', 'name', eb.fn.sum<number>('calls').as('calls')])
    .where('account_id', '=', accountId)
    .where('time', 'in', times)
    .where('prompt_id', '=', promptId)
    .groupBy(['code', 'name']);
}
