import type { RunStatistics, RunStatisticsQuery } from '../../contract/run-statistics.ts';
import type { RunRow } from '../../store/statistics/run-statistics.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { toStorable } from '../ids.ts';
import { nameCallers } from './callers.ts';
import { percentiles } from './durations.ts';
import { findInterval } from './series.ts';
import type { WithReports } from './statistics.ts';
import { describeRange, parseRange, toCounted } from './time-range.ts';

type Sums = RunStatistics['totals'];

/** Returns the requests to models in a time range: their number, tokens, cost and duration, by model and by member. */
export async function getRunStatistics(ctx: WithStore & WithReports, actor: Actor, query: RunStatisticsQuery): Promise<RunStatistics> {
  const now = new Date();
  const range = parseRange(query, now);
  const { workspaceId } = actor;
  const model = query.model === undefined ? undefined : toStorable(query.model);
  const counts = { accountId: workspaceId, ...toCounted(range), model, memberId: query.member };
  const counted = await ctx.reports.run(workspaceId, () => ctx.store.statistics.readRuns(counts));
  const bySeries = Map.groupBy(counted.series, ({ key }) => findInterval(range, key));
  const members = sumByKey(counted.members).map(({ key: memberId, ...sums }) => ({ memberId, ...sums }));
  return {
    ...describeRange(range, now),
    totals: addUp(counted.series),
    series: range.starts.map((start, index) => ({ time: new Date(start).toISOString(), ...addUp(bySeries.get(index) ?? []) })),
    byModel: sumByKey(counted.models).map(({ key, ...sums }) => ({ model: key || null, ...sums })),
    byMember: await nameCallers(ctx.store, workspaceId, members),
  };
}

function sumByKey(rows: RunRow[]): (Sums & { key: string })[] {
  const sums = [...Map.groupBy(rows, ({ key }) => key)].map(([key, group]) => ({ key, ...addUp(group) }));
  return sums.sort((a, b) => b.cost - a.cost || b.runs - a.runs || (a.key < b.key ? -1 : 1));
}

function addUp(rows: RunRow[]): Sums {
  const sums = { runs: 0, errors: 0, inputTokens: 0, outputTokens: 0, cost: 0, unpriced: 0 };
  const buckets = new Map<number, number>();
  for (const row of rows) {
    sums.runs += row.runs;
    sums.errors += row.errors;
    sums.inputTokens += row.inputTokens;
    sums.outputTokens += row.outputTokens;
    sums.cost += row.cost;
    sums.unpriced += row.unpriced;
    // Failures are often immediate or end with a timeout, so they say nothing about how long a model takes.
    if (row.runs > row.errors) buckets.set(row.bucket, (buckets.get(row.bucket) ?? 0) + row.runs - row.errors);
  }
  const [p50 = null, p95 = null, p99 = null] = percentiles(buckets, [0.5, 0.95, 0.99]);
  // The sum is rounded, because sums of fractions end in meaningless digits.
  return { ...sums, cost: Number(sums.cost.toPrecision(12)), durationMs: { p50, p95, p99 } };
}
