import { type Kysely, sql } from 'kysely';
import { isInRange, readSnapshot, type StatisticsQuery, timeOf } from './statistics.ts';
import type { StatisticsDatabase } from './tables.ts';

export interface RunStatisticsQuery extends Omit<StatisticsQuery, 'status'> {
  model?: string | undefined;
  memberId?: string | undefined;
}

/** The number of requests to models, and their total tokens, cost and durations. Durations are counted only for requests that succeeded. */
export type RunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['series']['execute']>>[number];

/** The maximum number of rows for models, and for members. Each duration bucket has its own row. */
const maxRows = 20_000;

export function createRunStatisticsStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** Reads the requests to models of a workspace from one snapshot. */
    async readRuns(query: RunStatisticsQuery) {
      return readSnapshot(db, async (snapshot) => {
        const { series, models, members } = selectRuns(snapshot, query);
        return { series: await series.execute(), models: await models.execute(), members: await members.execute() };
      });
    },
  };
}

export function selectRuns(db: Kysely<StatisticsDatabase>, query: RunStatisticsQuery) {
  const time = timeOf(query);
  const { model, memberId } = query;
  let rows = db.selectFrom('run_statistics').where(isInRange(query));
  if (model !== undefined) rows = rows.where('model', '=', model);
  if (memberId !== undefined) rows = rows.where('member_id', '=', memberId);
  const sums = rows.select([
    'bucket',
    sql<number>`sum(calls)`.as('runs'),
    sql<number>`sum(case when has_failed = 1 then calls else 0 end)`.as('errors'),
    sql<number>`sum(input_tokens)`.as('inputTokens'),
    sql<number>`sum(output_tokens)`.as('outputTokens'),
    sql<number>`sum(cost)`.as('cost'),
    sql<number>`sum(unpriced)`.as('unpriced'),
  ]);
  return {
    series: sums.select(time.as('key')).groupBy([time, 'bucket']),
    models: sums.select('model as key').groupBy(['model', 'bucket']).limit(maxRows),
    members: sums.select('member_id as key').groupBy(['member_id', 'bucket']).limit(maxRows),
  };
}
