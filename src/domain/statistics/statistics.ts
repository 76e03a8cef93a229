import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import type { StatisticsQuery as CountsQuery } from '../../store/statistics/statistics.ts';
import type { Store } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { percentiles } from './durations.ts';
import { readPromptStatistics } from './prompt-statistics.ts';
import { fillSeries, sumCounts } from './series.ts';
import { parseRange, type Range, toTime } from './time-range.ts';

/** The calls made with the workspace's key in a time range, or only those of a prompt or with a status. */
export async function getStatistics(ctx: Context, actor: Actor, query: StatisticsQuery): Promise<Statistics> {
  const now = new Date();
  const range = parseRange(query, now);
  const prompt = query.prompt === undefined ? undefined : await getPromptRecord(ctx.store, actor, query.prompt);
  const { workspaceId } = actor;
  const { interval } = range;
  const counts = { accountId: workspaceId, from: toTime(range.from), to: toTime(range.to), interval, status: query.status };
  const counted = await ctx.reports.run(workspaceId, () =>
    prompt ? readPromptStatistics(ctx.store, { range, prompt, query: counts }) : readStatistics(ctx.store, range, counts),
  );
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    now: now.toISOString(),
    interval,
    totals: sumCounts(counted.series),
    ...counted,
    keyLastUsedAt: (await ctx.store.keyUses.findLastUses([workspaceId])).get(workspaceId) ?? null,
  };
}

async function readStatistics(store: Store, range: Range, query: CountsQuery) {
  const { series, routes, statuses, buckets, versions } = await store.statistics.readWorkspace(query);
  const durations = new Map(buckets.map(({ bucket, calls }) => [bucket, calls]));
  const [p50 = null, p95 = null, p99 = null] = percentiles(durations, [0.5, 0.95, 0.99]);
  return {
    durationMs: { p50, p95, p99 },
    series: fillSeries(range, series),
    byRoute: routes,
    byStatus: statuses,
    byPrompt: await addNames(store, query.accountId, versions),
  };
}

type Versions = Awaited<ReturnType<Store['statistics']['readWorkspace']>>['versions'];

/** Groups versions by prompt. Both are in order already. */
async function addNames(store: Store, workspaceId: string, versions: Versions): Promise<Statistics['byPrompt']> {
  const prompts = new Map<string, Statistics['byPrompt'][number]>();
  for (const { promptId, version, label, calls, promptCalls, promptErrors } of versions) {
    const prompt = prompts.get(promptId) ?? { promptId, name: null, calls: promptCalls, errors: promptErrors, versions: [] };
    prompts.set(promptId, prompt);
    if (version !== 0) prompt.versions.push({ version, label: label || null, calls });
  }
  const names = await store.statistics.findPromptNames(workspaceId, [...prompts.keys()]);
  return [...prompts.values()].map((prompt) => ({ ...prompt, name: names.get(prompt.promptId) ?? null }));
}
