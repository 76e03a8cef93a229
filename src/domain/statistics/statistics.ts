import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import type { StatisticsRows } from '../../store/statistics/statistics.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { percentiles } from './durations.ts';
import { parseRange, type Range, startsOf, toTime } from './time-range.ts';

const maxPrompts = 500;
const maxVersions = 100;

/** The calls made with the workspace's key in a time range. */
export async function getStatistics(ctx: Context, { workspaceId }: Actor, query: StatisticsQuery): Promise<Statistics> {
  const range = parseRange(query, new Date());
  const { interval } = range;
  const stored = { accountId: workspaceId, from: toTime(range.from), to: toTime(range.to), interval };
  const rows = await ctx.reports.run(workspaceId, () => ctx.store.statistics.read(stored));
  const byRoute = new Map<string, { calls: number; errors: number }>();
  const byStatus = new Map<number, number>();
  const byBucket = new Map<number, number>();
  for (const { route, status, bucket, calls } of rows.routes) {
    addTo(byRoute, route, { calls, errors: status >= 400 ? calls : 0 });
    byStatus.set(status, (byStatus.get(status) ?? 0) + calls);
    byBucket.set(bucket, (byBucket.get(bucket) ?? 0) + calls);
  }
  const [p50 = null, p95 = null, p99 = null] = percentiles(byBucket, [0.5, 0.95, 0.99]);
  const series = fillSeries(range, rows.series);

  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    interval,
    totals: { calls: sum(series, 'calls'), errors: sum(series, 'errors') },
    durationMs: { p50, p95, p99 },
    series,
    byRoute: [...byRoute].map(([route, counts]) => ({ route, ...counts })).sort(byCalls),
    byPrompt: await groupByPrompt(ctx, workspaceId, rows.prompts),
    byStatus: [...byStatus].map(([status, calls]) => ({ status, calls })).sort((a, b) => a.status - b.status),
    keyLastUsedAt: rows.keyLastUsedAt,
  };
}

function fillSeries(range: Range, rows: StatisticsRows['series']): Statistics['series'] {
  const counted = new Map<string, { calls: number; errors: number }>();
  for (const { time, calls, errors } of rows) {
    // In an hourly series, a day that has been rolled up counts in its first hour.
    const start = new Date(time.length === '2026-03-01'.length ? time : `${time}:00Z`).toISOString();
    addTo(counted, start, { calls, errors });
  }
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

function addTo<Key>(map: Map<Key, { calls: number; errors: number }>, key: Key, added: { calls: number; errors: number }): void {
  const counts = map.get(key) ?? { calls: 0, errors: 0 };
  map.set(key, { calls: counts.calls + added.calls, errors: counts.errors + added.errors });
}

function byCalls(a: { calls: number }, b: { calls: number }): number {
  return b.calls - a.calls;
}

function sum<Field extends string>(rows: Record<Field, number>[], field: Field): number {
  return rows.reduce((total, row) => total + row[field], 0);
}
