import { type Kysely, sql } from 'kysely';
import { isInRange, readSnapshot, type StatisticsQuery, timeOf } from './statistics.ts';
import type { StatisticsDatabase } from './tables.ts';
import type { ResultCount, ResultKey, ResultSum, ScoreCount } from './usage-counts.ts';

type ResultsQuery = Omit<StatisticsQuery, 'status'>;

export interface PromptResultsQuery extends ResultsQuery {
  promptId: string;
  version?: number | undefined;
  label?: string | undefined;
  model?: string | undefined;
}

/** The key by which rows are grouped: a version, a time, a model or a prompt. */
type Key = string | number;

export type SumRow = Omit<ResultSum, keyof ResultKey | 'accountId' | 'time'>;
export type CountRow = Omit<ResultCount, keyof ResultKey | 'accountId' | 'time'>;
export type ScoreRow = Omit<ScoreCount, keyof ResultKey | 'accountId' | 'time'>;

/** The counters of one version, time, model or prompt. */
export type Grouped<Row> = Row & { key: Key };

/** The maximum number of rows of a group. The rows with the fewest calls are left out. */
const maxRows = 50_000;
/** The maximum number of rows of a series, about 100 for each hour of a month. The oldest rows are left out. */
const maxSeriesRows = 200_000;
const maxPrompts = 500;
const maxModels = 500;

const sums = [
  sql<number>`sum(calls)`.as('calls'),
  sql<number>`sum(errors)`.as('errors'),
  sql<number>`sum(input_tokens)`.as('inputTokens'),
  sql<number>`sum(output_tokens)`.as('outputTokens'),
  sql<number>`sum(cost)`.as('cost'),
  sql<number>`sum(priced)`.as('priced'),
  sql<number>`sum(unpriced)`.as('unpriced'),
];
const calls = sql<number>`sum(calls)`.as('calls');
const mostCalls = sql`sum(calls) desc`;
const highestCost = sql`sum(cost) desc, sum(calls) desc`;

export function createResultStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** Reads the results of a prompt from one snapshot. */
    async readPromptResults(query: PromptResultsQuery) {
      return readSnapshot(db, async (snapshot) => {
        const selected = selectPromptResults(snapshot, query);
        const modelSums = await selected.modelSums.execute();
        return {
          versionSums: await selected.versionSums.execute(),
          versionCounts: await selected.versionCounts.execute(),
          versionScores: await selected.versionScores.execute(),
          modelSums,
          modelCounts: await selected.modelCounts(modelSums.map(({ key }) => key)).execute(),
          seriesSums: await selected.seriesSums.execute(),
          seriesCounts: await selected.seriesCounts.execute(),
        };
      });
    },

    /** Reads the results of a workspace from one snapshot. */
    async readWorkspaceResults(query: ResultsQuery) {
      return readSnapshot(db, async (snapshot) => {
        const selected = selectWorkspaceResults(snapshot, query);
        const last = await snapshot
          .selectFrom('result_sums')
          .select((eb) => eb.fn.max<string | null>('time').as('time'))
          .where('account_id', '=', query.accountId)
          .executeTakeFirst();
        const promptSums = await selected.promptSums.execute();
        const modelSums = await selected.modelSums.execute();
        return {
          promptSums,
          promptCounts: await selected.promptCounts(promptSums.map(({ key }) => key)).execute(),
          modelSums,
          modelCounts: await selected.modelCounts(modelSums.map(({ key }) => key)).execute(),
          seriesSums: await selected.seriesSums.execute(),
          seriesCounts: await selected.seriesCounts.execute(),
          dropped: await selected.dropped.execute(),
          lastTime: last?.time ?? null,
        };
      });
    },
  };
}

/** PostgreSQL does not allow an empty list. */
const listed = (keys: string[]): string[] => (keys.length > 0 ? keys : ['']);

export function selectPromptResults(db: Kysely<StatisticsDatabase>, query: PromptResultsQuery) {
  const time = timeOf(query);
  const { promptId, version, label, model } = query;
  const where = sql<boolean>`${isInRange(query)} and prompt_id = ${promptId}
    ${version === undefined ? sql`` : sql`and version = ${version}`}
    ${label === undefined ? sql`` : sql`and label = ${label}`}
    ${model === undefined ? sql`` : sql`and model = ${model}`}`;
  const summed = db.selectFrom('result_sums').where(where).select(sums);
  const counted = db.selectFrom('result_counts').where(where).select(['kind', 'name', calls]);
  const durations = counted.where('kind', '!=', 'error');
  return {
    versionSums: summed.select('version as key').groupBy('version').orderBy(mostCalls).limit(maxRows),
    versionCounts: counted.select('version as key').groupBy(['version', 'kind', 'name']).orderBy(mostCalls).limit(maxRows),
    versionScores: db
      .selectFrom('result_scores')
      .where(where)
      .select([
        'version as key',
        'name',
        'kind',
        'value',
        calls,
        sql<number>`sum(total)`.as('total'),
        sql<number>`sum(squares)`.as('squares'),
      ])
      .groupBy(['version', 'name', 'kind', 'value'])
      .orderBy(mostCalls)
      .limit(maxRows),
    modelSums: summed.select('model as key').groupBy('model').orderBy(highestCost).orderBy('model').limit(maxModels),
    modelCounts: (models: string[]) =>
      durations.where('model', 'in', listed(models)).select('model as key').groupBy(['model', 'kind', 'name']),
    seriesSums: summed
      .select([time.as('key'), 'version'])
      .groupBy([time, 'version'])
      .orderBy(time, 'desc')
      .limit(maxSeriesRows),
    seriesCounts: durations.select(time.as('key')).groupBy([time, 'kind', 'name']).orderBy(time, 'desc').limit(maxSeriesRows),
  };
}

export function selectWorkspaceResults(db: Kysely<StatisticsDatabase>, query: ResultsQuery) {
  const time = timeOf(query);
  const summed = db.selectFrom('result_sums').where(isInRange(query)).select(sums);
  const counted = db.selectFrom('result_counts').where(isInRange(query)).where('prompt_id', '!=', '').select(['kind', 'name', calls]);
  const promptSums = summed.select('prompt_id as key').groupBy('prompt_id').orderBy(highestCost).orderBy('prompt_id').limit(maxPrompts);
  const durations = counted.where('kind', '!=', 'error');
  return {
    promptSums,
    promptCounts: (ids: string[]) =>
      durations.where('prompt_id', 'in', listed(ids)).select('prompt_id as key').groupBy(['prompt_id', 'kind', 'name']),
    modelSums: summed.select('model as key').groupBy('model').orderBy(highestCost).orderBy('model').limit(maxModels),
    modelCounts: (models: string[]) =>
      durations.where('model', 'in', listed(models)).select('model as key').groupBy(['model', 'kind', 'name']),
    seriesSums: summed.select(time.as('key')).groupBy(time),
    seriesCounts: durations.select(time.as('key')).groupBy([time, 'kind', 'name']).orderBy(time, 'desc').limit(maxSeriesRows),
    dropped: db
      .selectFrom('result_counts')
      .where(isInRange(query))
      .where('prompt_id', '=', '')
      .select(['name', calls])
      .groupBy('name')
      .orderBy('name'),
  };
}
