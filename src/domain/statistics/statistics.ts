import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import { invalidField } from '../../errors.ts';
import type { FairQueue } from '../../platform/scheduling/fair-queue.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { StatisticsQuery as CountsQuery } from '../../store/statistics/statistics.ts';
import type { Store, WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { listReadReleases } from '../releases/period-releases.ts';
import { listCallers, nameCallers } from './callers.ts';
import { percentiles } from './durations.ts';
import { fillSeries, sumCounts } from './series.ts';
import { describeRange, parseRange, type Range, toCounted } from './time-range.ts';

export interface WithReports {
  /** Adding up the statistics of a large workspace takes a long time, so each workspace runs one query at a time. */
  reports: FairQueue;
}

type Counted = Omit<Statistics, 'from' | 'to' | 'now' | 'interval' | 'timeZone' | 'totals' | 'keyLastUsedAt'>;

const noDurations = { p50: null, p95: null, p99: null };

/** Returns the calls in a time range that were made with keys in the workspace. The query may select a prompt, a member or a status. */
export async function getStatistics(ctx: WithStore & WithReports, actor: Actor, query: StatisticsQuery): Promise<Statistics> {
  const now = new Date();
  const range = parseRange(query, now);
  const { member, status } = query;
  if (member !== undefined && query.prompt !== undefined) throw invalidField('/member', 'Cannot be combined with "prompt"');
  const prompt = query.prompt === undefined ? undefined : await getPromptRecord(ctx.store, actor, query.prompt);
  const { workspaceId } = actor;
  const counts = { accountId: workspaceId, ...toCounted(range), status };
  const counted = await ctx.reports.run(workspaceId, (): Promise<Counted> => {
    if (prompt) return readPromptStatistics(ctx, range, counts, prompt);
    return member === undefined ? readStatistics(ctx.store, range, counts) : readMemberStatistics(ctx.store, range, counts, member);
  });
  return {
    ...describeRange(range, now),
    totals: sumCounts(counted.series),
    ...counted,
    keyLastUsedAt: (await ctx.store.statistics.findKeyUses([workspaceId])).get(workspaceId) ?? null,
  };
}

async function readStatistics(store: Store, range: Range, query: CountsQuery): Promise<Counted> {
  const { series, routes, statuses, buckets, members, ...prompts } = await store.statistics.readWorkspace(query);
  const durations = new Map(buckets.map(({ bucket, calls }) => [bucket, calls]));
  const [p50 = null, p95 = null, p99 = null] = percentiles(durations, [0.5, 0.95, 0.99]);
  return {
    durationMs: { p50, p95, p99 },
    series: fillSeries(range, series),
    byRoute: routes,
    byStatus: statuses,
    byPrompt: await listPrompts(store, query.accountId, prompts),
    byMember: await listCallers(store, query.accountId, { members, totals: sumCounts(series) }),
  };
}

/** Reads the calls of one member by route and status over time. */
async function readMemberStatistics(store: Store, range: Range, query: CountsQuery, memberId: string): Promise<Counted> {
  const counted = await store.statistics.readMember({ ...query, memberId });
  const totals = sumCounts(counted.series);
  return {
    durationMs: noDurations,
    series: fillSeries(range, counted.series),
    byRoute: counted.routes,
    byStatus: counted.statuses,
    byPrompt: [],
    byMember: totals.calls === 0 ? [] : await nameCallers(store, query.accountId, [{ memberId, ...totals }]),
  };
}

/** Reads the calls of one prompt by version and label over time, the causes of failed renders, and the reads of its releases. */
async function readPromptStatistics({ store }: WithStore, range: Range, query: CountsQuery, prompt: PromptRecord): Promise<Counted> {
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
    durationMs: noDurations,
    series,
    byRoute: [],
    byPrompt: totals.calls === 0 ? [] : [{ promptId: prompt.id, name: prompt.name, ...totals, versions }],
    byMember: [],
    byStatus: counted.statuses,
    byVersion,
    // A render that fails has the status 422, so other statuses have no causes.
    errors: status === undefined || status === 422 ? counted.errors.map((error) => ({ ...error, name: error.name || null })) : [],
    releases: await listReadReleases({ store }, { accountId: query.accountId, promptId: prompt.id, range }),
  };
}

type PromptCounts = Pick<Awaited<ReturnType<Store['statistics']['readWorkspace']>>, 'prompts' | 'versions'>;

const maxVersionsOfPrompt = 100;

/** Lists the prompts with their versions. Prompts and versions are already sorted. */
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
