import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import type { FairQueue } from '../../platform/scheduling/fair-queue.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { StatisticsQuery as CountsQuery } from '../../store/statistics/statistics.ts';
import type { Store, WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { percentiles } from './durations.ts';
import { fillSeries, sumCounts } from './series.ts';
import { parseRange, type Range, toTime } from './time-range.ts';

export interface WithReports {
  /** Adding up the statistics of a large workspace takes long, so each workspace runs one query at a time. */
  reports: FairQueue;
}

/** Returns the calls in a time range that were made with keys of the workspace, optionally only those of a prompt or with a status. */
export async function getStatistics(ctx: WithStore & WithReports, actor: Actor, query: StatisticsQuery): Promise<Statistics> {
  const now = new Date();
  const range = parseRange(query, now);
  const prompt = query.prompt === undefined ? undefined : await getPromptRecord(ctx.store, actor, query.prompt);
  const { workspaceId } = actor;
  const { interval } = range;
  const counts = { accountId: workspaceId, from: toTime(range.from), to: toTime(range.to), interval, status: query.status };
  const counted = await ctx.reports.run(workspaceId, () =>
    prompt ? readPromptStatistics(ctx.store, range, counts, prompt) : readStatistics(ctx.store, range, counts),
  );
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    now: now.toISOString(),
    interval,
    totals: sumCounts(counted.series),
    ...counted,
    keyLastUsedAt: (await ctx.store.statistics.findKeyUses([workspaceId])).get(workspaceId) ?? null,
  };
}

async function readStatistics(store: Store, range: Range, query: CountsQuery) {
  const { series, routes, statuses, buckets, ...prompts } = await store.statistics.readWorkspace(query);
  const durations = new Map(buckets.map(({ bucket, calls }) => [bucket, calls]));
  const [p50 = null, p95 = null, p99 = null] = percentiles(durations, [0.5, 0.95, 0.99]);
  return {
    durationMs: { p50, p95, p99 },
    series: fillSeries(range, series),
    byRoute: routes,
    byStatus: statuses,
    byPrompt: await listPrompts(store, query.accountId, prompts),
  };
}

/** Reads the calls of one prompt by version and label over time, and why renders failed. */
async function readPromptStatistics(store: Store, range: Range, query: CountsQuery, prompt: PromptRecord) {
  const { status } = query;
  const counted = await store.statistics.readPrompt({ ...query, promptId: prompt.id });
  const series = fillSeries(range, counted.series);
  const totals = sumCounts(series);
  const byVersion = counted.versions.map(({ version, label, calls, errors }) => {
    const rows = counted.versionSeries.filter((row) => row.version === version && row.label === label);
    return { version, label: label || null, calls, errors, series: fillSeries(range, rows).map((point) => point.calls) };
  });
  const versions = byVersion.map(({ version, label, calls }) => ({ version, label, calls }));
  return {
    durationMs: { p50: null, p95: null, p99: null },
    series,
    byRoute: [],
    byPrompt: totals.calls === 0 ? [] : [{ promptId: prompt.id, name: prompt.name, ...totals, versions }],
    byStatus: counted.statuses,
    byVersion,
    // A render that fails has the status 422, so other statuses have no causes.
    errors: status === undefined || status === 422 ? counted.errors.map((error) => ({ ...error, name: error.name || null })) : [],
  };
}

type PromptCounts = Pick<Awaited<ReturnType<Store['statistics']['readWorkspace']>>, 'prompts' | 'versions'>;

const maxVersionsOfPrompt = 100;

/** Lists the prompts with their versions. Both are already sorted. */
async function listPrompts(store: Store, workspaceId: string, { prompts, versions }: PromptCounts): Promise<Statistics['byPrompt']> {
  const ids = prompts.map(({ promptId }) => promptId);
  const names = await store.statistics.findPromptNames(workspaceId, ids);
  const byPrompt = Map.groupBy(versions, ({ promptId }) => promptId);
  return prompts.map(({ promptId, calls, errors }) => ({
    promptId,
    name: names.get(promptId) ?? null,
    calls,
    errors,
    versions: (byPrompt.get(promptId) ?? [])
      .slice(0, maxVersionsOfPrompt)
      .map(({ version, label, calls: count }) => ({ version, label: label || null, calls: count })),
  }));
}
