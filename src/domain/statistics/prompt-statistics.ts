import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { Context } from '../context.ts';
import { addCounts, type Counts, errorsOf, sumCounts } from './counts.ts';
import { type Range, startOf, startsOf, toTime } from './time-range.ts';

interface PromptStatisticsOptions {
  workspaceId: string;
  prompt: PromptRecord;
  range: Range;
  status: number | undefined;
}

/** The calls of one prompt: by version and label over time, and why renders failed. */
export async function readPromptStatistics({ store }: Context, { workspaceId, prompt, range, status }: PromptStatisticsOptions) {
  const bounds = { from: toTime(range.from), to: toTime(range.to), interval: range.interval };
  const counted = await store.statistics.readPrompt({ accountId: workspaceId, promptId: prompt.id, ...bounds, status });
  const byTime = new Map<string, Counts>();
  const byStatus = new Map<number, number>();
  for (const { time, status: code, calls } of counted.series) {
    addCounts(byTime, startOf(time, range.interval), { calls, errors: errorsOf(code, calls) });
    byStatus.set(code, (byStatus.get(code) ?? 0) + calls);
  }
  const series = startsOf(range).map((time) => ({ time, ...(byTime.get(time) ?? { calls: 0, errors: 0 }) }));
  const byVersion = listVersions(counted, range);
  const versions = byVersion.map(({ version, label, calls }) => ({ version, label, calls }));
  const totals = sumCounts(series);
  return {
    durationMs: { p50: null, p95: null, p99: null },
    series,
    byRoute: [],
    byPrompt: totals.calls === 0 ? [] : [{ promptId: prompt.id, name: prompt.name, ...totals, versions }],
    byStatus: [...byStatus].map(([code, calls]) => ({ status: code, calls })).sort((a, b) => a.status - b.status),
    byVersion,
    // What could not be rendered is a 422; other statuses have no causes.
    errors: status === undefined || status === 422 ? counted.errors.map((error) => ({ ...error, name: error.name || null })) : [],
  };
}

type PromptCounts = Awaited<ReturnType<Context['store']['statistics']['readPrompt']>>;

function listVersions({ versions, versionSeries }: Pick<PromptCounts, 'versions' | 'versionSeries'>, range: Range) {
  const starts = startsOf(range);
  const indexes = new Map(starts.map((time, index) => [time, index]));
  const seriesOf = new Map<string, number[]>();
  for (const { version, label } of versions) seriesOf.set(`${version} ${label}`, Array<number>(starts.length).fill(0));
  for (const { time, version, label, calls } of versionSeries) {
    const series = seriesOf.get(`${version} ${label}`);
    const index = indexes.get(startOf(time, range.interval)) ?? 0;
    if (series) series[index] = (series[index] ?? 0) + calls;
  }
  return versions.map(({ version, label, calls, errors }) => ({
    version,
    label: label || null,
    calls,
    errors,
    series: seriesOf.get(`${version} ${label}`) ?? [],
  }));
}
