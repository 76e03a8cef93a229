import { type Kysely, sql } from 'kysely';
import { isInRange, readSnapshot, type StatisticsQuery, timeOf } from './statistics.ts';
import type { StatisticsDatabase } from './tables.ts';

type ResultsQuery = Omit<StatisticsQuery, 'status'>;

export interface PromptResultsQuery extends ResultsQuery {
  promptId: string;
  version?: number | undefined;
  label?: string | undefined;
  model?: string | undefined;
}

/** The key by which rows are grouped: a version, a time, a model or a prompt. */
type Key = string | number;

export interface SumRow {
  calls: number;
  errors: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
  priced: number;
  unpriced: number;
}

export interface CountRow {
  kind: string;
  name: string;
  calls: number;
}

export interface ScoreRow {
  name: string;
  kind: string;
  value: string;
  calls: number;
  total: number;
  squares: number;
}

/** The counters of one version, time, model or prompt. */
export type Grouped<Row> = Row & { key: Key };

/** The maximum number of rows of a query. The limits on names keep the number far below this. */
const maxRows = 50_000;
const maxPrompts = 500;

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

export function createResultStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** Reads the results of a prompt from one snapshot. */
    async readPromptResults(query: PromptResultsQuery) {
      return readSnapshot(db, async (snapshot) => {
        const selected = selectPromptResults(snapshot, query);
        return {
          versionSums: await selected.versionSums.execute(),
          versionCounts: await selected.versionCounts.execute(),
          versionScores: await selected.versionScores.execute(),
          modelSums: await selected.modelSums.execute(),
          modelCounts: await selected.modelCounts.execute(),
          seriesSums: await selected.seriesSums.execute(),
          seriesCounts: await selected.seriesCounts.execute(),
        };
      });
    },

    /** Reads the results of two versions at a label from one snapshot. */
    async readVersionResults(query: PromptResultsQuery) {
      return readSnapshot(db, async (snapshot) => {
        const { versionSums, versionCounts, versionScores } = selectPromptResults(snapshot, query);
        return {
          versionSums: await versionSums.execute(),
          versionCounts: await versionCounts.execute(),
          versionScores: await versionScores.execute(),
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
        return {
          promptSums: await selected.promptSums.execute(),
          promptCounts: await selected.promptCounts.execute(),
          modelSums: await selected.modelSums.execute(),
          modelCounts: await selected.modelCounts.execute(),
          seriesSums: await selected.seriesSums.execute(),
          seriesCounts: await selected.seriesCounts.execute(),
          dropped: await selected.dropped.execute(),
          lastTime: last?.time ?? null,
        };
      });
    },
  };
}

export function selectPromptResults(db: Kysely<StatisticsDatabase>, query: PromptResultsQuery) {
  const time = timeOf(query);
  const { promptId, version, label, model } = query;
  const where = sql<boolean>`${isInRange(query)} and prompt_id = ${promptId}
    ${version === undefined ? sql`` : sql`and version = ${version}`}
    ${label === undefined ? sql`` : sql`and label = ${label}`}
    ${model === undefined ? sql`` : sql`and model = ${model}`}`;
  const summed = db.selectFrom('result_sums').where(where).select(sums).limit(maxRows);
  const counted = db.selectFrom('result_counts').where(where).select(['kind', 'name', calls]).limit(maxRows);
  return {
    versionSums: summed.select('version as key').groupBy('version'),
    versionCounts: counted.select('version as key').groupBy(['version', 'kind', 'name']),
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
      .orderBy('name')
      .limit(maxRows),
    modelSums: summed.select('model as key').groupBy('model'),
    modelCounts: counted.where('kind', '!=', 'error').select('model as key').groupBy(['model', 'kind', 'name']),
    seriesSums: summed.select([time.as('key'), 'version']).groupBy([time, 'version']),
    seriesCounts: counted.where('kind', '!=', 'error').select(time.as('key')).groupBy([time, 'kind', 'name']),
  };
}

export function selectWorkspaceResults(db: Kysely<StatisticsDatabase>, query: ResultsQuery) {
  const time = timeOf(query);
  const summed = db.selectFrom('result_sums').where(isInRange(query)).select(sums);
  const counted = db.selectFrom('result_counts').where(isInRange(query)).where('prompt_id', '!=', '').select(['kind', 'name', calls]);
  const promptSums = summed
    .select('prompt_id as key')
    .groupBy('prompt_id')
    .orderBy(sql`sum(cost) desc, sum(calls) desc, prompt_id`)
    .limit(maxPrompts);
  const durations = counted.where('kind', '!=', 'error').limit(maxRows);
  return {
    promptSums,
    promptCounts: durations.select('prompt_id as key').groupBy(['prompt_id', 'kind', 'name']),
    modelSums: summed.select('model as key').groupBy('model').limit(maxRows),
    modelCounts: durations.select('model as key').groupBy(['model', 'kind', 'name']),
    seriesSums: summed.select(time.as('key')).groupBy(time),
    seriesCounts: durations.select(time.as('key')).groupBy([time, 'kind', 'name']),
    dropped: db
      .selectFrom('result_counts')
      .where(isInRange(query))
      .where('prompt_id', '=', '')
      .select(['name', calls])
      .groupBy('name')
      .orderBy('name'),
  };
}
