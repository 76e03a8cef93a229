import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import type { StatisticsReader } from '../../store/statistics/statistics.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { addCounts, byCalls, type Counts, errorsOf, sumCounts, takeBusiest } from './counts.ts';
import { percentiles } from './durations.ts';
import { readPromptStatistics } from './prompt-statistics.ts';
import { parseRange, type Range, startOf, startsOf, toTime } from './time-range.ts';
import { createVersionKeys } from './version-keys.ts';

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
  const query = { accountId: workspaceId, from: toTime(range.from), to: toTime(range.to), interval: range.interval, status };
  return ctx.store.statistics.read(query, async (reader) => ({
    ...(await addUpCalls(reader, range)),
    byPrompt: await groupByPrompt(ctx, workspaceId, reader),
  }));
}

async function addUpCalls(reader: StatisticsReader, range: Range) {
  const byTime = new Map<string, Counts>();
  const byRoute = new Map<string, Counts>();
  const byStatus = new Map<number, number>();
  const byBucket = new Map<number, number>();
  for await (const { series, routes } of reader.calls()) {
    for (const { time, calls, errors } of series) addCounts(byTime, startOf(time, range.interval), { calls, errors });
    for (const { route, status, bucket, calls } of routes) {
      addCounts(byRoute, route, { calls, errors: errorsOf(status, calls) });
      byStatus.set(status, (byStatus.get(status) ?? 0) + calls);
      byBucket.set(bucket, (byBucket.get(bucket) ?? 0) + calls);
    }
  }
  const [p50 = null, p95 = null, p99 = null] = percentiles(byBucket, [0.5, 0.95, 0.99]);
  return {
    durationMs: { p50, p95, p99 },
    series: startsOf(range).map((time) => ({ time, ...(byTime.get(time) ?? { calls: 0, errors: 0 }) })),
    byRoute: [...byRoute].map(([route, counts]) => ({ route, ...counts })).sort(byCalls),
    byStatus: [...byStatus].map(([code, calls]) => ({ status: code, calls })).sort((a, b) => a.status - b.status),
  };
}

type PromptCounts = Statistics['byPrompt'][number];

async function groupByPrompt(ctx: Context, workspaceId: string, reader: StatisticsReader): Promise<PromptCounts[]> {
  const keys = createVersionKeys();
  const prompts = new Map<string, Counts & { promptId: string; versions: Map<number, number> }>();
  for await (const rows of reader.prompts()) {
    for (const { promptId, version, label, calls, errors } of rows) {
      const prompt = prompts.get(promptId) ?? { promptId, calls: 0, errors: 0, versions: new Map() };
      prompts.set(promptId, prompt);
      prompt.calls += calls;
      prompt.errors += errors;
      if (version === 0) continue;
      const key = keys.keyOf(version, label);
      prompt.versions.set(key, (prompt.versions.get(key) ?? 0) + calls);
    }
  }
  const busiest = await takeBusiest(prompts.values(), maxPrompts);
  const names = await ctx.store.statistics.findPromptNames(
    workspaceId,
    busiest.map(({ promptId }) => promptId),
  );
  const byPrompt: PromptCounts[] = [];
  for (const { promptId, calls, errors, versions } of busiest) {
    const counted = (await takeBusiest(toCounts(versions), maxVersions)).map(({ key, calls: count }) => ({
      ...keys.parse(key),
      calls: count,
    }));
    byPrompt.push({ promptId, name: names.get(promptId) ?? null, calls, errors, versions: counted });
  }
  return byPrompt;
}

function* toCounts(counts: Map<number, number>): Generator<{ key: number; calls: number }> {
  for (const [key, calls] of counts) yield { key, calls };
}
