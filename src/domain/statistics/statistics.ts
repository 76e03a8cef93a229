import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { addCounts, type Counts, errorsOf, sumCounts } from './counts.ts';
import { percentiles } from './durations.ts';
import { readPromptStatistics } from './prompt-statistics.ts';
import { parseRange, type Range, startOf, startsOf, toTime } from './time-range.ts';

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

async function readStatistics({ store }: Context, { workspaceId, range, status }: StatisticsOptions) {
  const query = { accountId: workspaceId, from: toTime(range.from), to: toTime(range.to), interval: range.interval, status };
  const { series, routes, buckets, versions } = await store.statistics.readWorkspace(query);
  const byTime = new Map<string, Counts>();
  for (const { time, calls, errors } of series) addCounts(byTime, startOf(time, range.interval), { calls, errors });
  const byRoute = new Map<string, Counts>();
  const byStatus = new Map<number, number>();
  for (const { route, status: code, calls } of routes) {
    addCounts(byRoute, route, { calls, errors: errorsOf(code, calls) });
    byStatus.set(code, (byStatus.get(code) ?? 0) + calls);
  }
  const durations = new Map(buckets.map(({ bucket, calls }) => [bucket, calls]));
  const [p50 = null, p95 = null, p99 = null] = percentiles(durations, [0.5, 0.95, 0.99]);
  return {
    durationMs: { p50, p95, p99 },
    series: startsOf(range).map((time) => ({ time, ...(byTime.get(time) ?? { calls: 0, errors: 0 }) })),
    byRoute: [...byRoute].map(([route, counts]) => ({ route, ...counts })).sort((a, b) => b.calls - a.calls),
    byStatus: [...byStatus].map(([code, calls]) => ({ status: code, calls })).sort((a, b) => a.status - b.status),
    byPrompt: await addNames(store, workspaceId, versions),
  };
}

type Versions = Awaited<ReturnType<Context['store']['statistics']['readWorkspace']>>['versions'];

/** Groups versions by prompt. Both are in order already. */
async function addNames(store: Context['store'], workspaceId: string, versions: Versions): Promise<Statistics['byPrompt']> {
  const prompts = new Map<string, Statistics['byPrompt'][number]>();
  for (const { promptId, version, label, calls, promptCalls, promptErrors } of versions) {
    const prompt = prompts.get(promptId) ?? { promptId, name: null, calls: promptCalls, errors: promptErrors, versions: [] };
    prompts.set(promptId, prompt);
    if (version !== 0) prompt.versions.push({ version, label: label || null, calls });
  }
  const names = await store.statistics.findPromptNames(workspaceId, [...prompts.keys()]);
  return [...prompts.values()].map((prompt) => ({ ...prompt, name: names.get(prompt.promptId) ?? null }));
}
