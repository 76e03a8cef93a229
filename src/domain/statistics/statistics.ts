import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import type { StatisticsRows } from '../../store/statistics/statistics.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { addCounts, byCalls, type Counts, errorsOf, sumCounts } from './counts.ts';
import { percentiles } from './durations.ts';
import { readPromptStatistics } from './prompt-statistics.ts';
import { parseRange, type Range, startOf, startsOf, toTime } from './time-range.ts';

const maxPrompts = 500;
const maxVersions = 100;

/** The calls made with the workspace's key in a time range, or only those of a prompt or with a status. */
export async function getStatistics(ctx: Context, actor: Actor, query: StatisticsQuery): Promise<Statistics> {
  const now = new Date();
  const range = parseRange(query, now);
  const prompt = query.prompt === undefined ? undefined : await getPromptRecord(ctx.store, actor, query.prompt);
  const { workspaceId } = actor;
  const counted = await ctx.reports.run(workspaceId, () =>
    prompt
      ? readPromptStatistics(ctx, { workspaceId, prompt, range, status: query.status })
      : readStatistics(ctx, { workspaceId, range, status: query.status }),
  );
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    now: now.toISOString(),
    interval: range.interval,
    totals: sumCounts(counted.series),
    ...counted,
    keyLastUsedAt: (await ctx.store.keyUses.findLastUses([workspaceId])).get(workspaceId) ?? null,
  };
}

interface StatisticsOptions {
  workspaceId: string;
  range: Range;
  status: number | undefined;
}

async function readStatistics(ctx: Context, { workspaceId, range, status }: StatisticsOptions) {
  const { interval } = range;
  const rows = await ctx.store.statistics.read({
    accountId: workspaceId,
    from: toTime(range.from),
    to: toTime(range.to),
    interval,
    status,
  });
  const byRoute = new Map<string, Counts>();
  const byStatus = new Map<number, number>();
  const byBucket = new Map<number, number>();
  for (const { route, status: routeStatus, bucket, calls } of rows.routes) {
    addCounts(byRoute, route, { calls, errors: errorsOf(routeStatus, calls) });
    byStatus.set(routeStatus, (byStatus.get(routeStatus) ?? 0) + calls);
    byBucket.set(bucket, (byBucket.get(bucket) ?? 0) + calls);
  }
  const [p50 = null, p95 = null, p99 = null] = percentiles(byBucket, [0.5, 0.95, 0.99]);
  return {
    durationMs: { p50, p95, p99 },
    series: fillSeries(range, rows.series),
    byRoute: [...byRoute].map(([route, counts]) => ({ route, ...counts })).sort(byCalls),
    byPrompt: await groupByPrompt(ctx, workspaceId, rows.prompts),
    byStatus: [...byStatus].map(([code, calls]) => ({ status: code, calls })).sort((a, b) => a.status - b.status),
  };
}

function fillSeries(range: Range, rows: StatisticsRows['series']): Statistics['series'] {
  const counted = new Map<string, Counts>();
  for (const { time, calls, errors } of rows) addCounts(counted, startOf(time, range.interval), { calls, errors });
  return startsOf(range).map((time) => ({ time, ...(counted.get(time) ?? { calls: 0, errors: 0 }) }));
}

async function groupByPrompt(ctx: Context, workspaceId: string, rows: StatisticsRows['prompts']): Promise<Statistics['byPrompt']> {
  const prompts = new Map<string, Statistics['byPrompt'][number]>();
  for (const { promptId, version, label, calls, errors } of rows) {
    const prompt = prompts.get(promptId) ?? { promptId, name: null, calls: 0, errors: 0, versions: [] };
    prompt.calls += calls;
    prompt.errors += errors;
    if (version > 0) prompt.versions.push({ version, label: label === '' ? null : label, calls });
    prompts.set(promptId, prompt);
  }
  const busiest = [...prompts.values()].sort(byCalls).slice(0, maxPrompts);
  const names = await ctx.store.statistics.findPromptNames(
    workspaceId,
    busiest.map(({ promptId }) => promptId),
  );
  return busiest.map((prompt) => ({
    ...prompt,
    name: names.get(prompt.promptId) ?? null,
    versions: prompt.versions.sort(byCalls).slice(0, maxVersions),
  }));
}
