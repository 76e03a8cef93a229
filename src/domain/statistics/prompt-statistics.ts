import type { Statistics } from '../../contract/statistics.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { PromptRow, PromptStatisticsReader } from '../../store/statistics/prompt-statistics.ts';
import type { Context } from '../context.ts';
import { byCalls, errorsOf, takeBusiest } from './counts.ts';
import { type Range, startOf, startsOf, storedTimesOf } from './time-range.ts';

const maxVersions = 20;
/** Causes have at most 20 names an hour; a longer list would help nobody. */
const maxErrors = 100;

interface PromptStatisticsOptions {
  workspaceId: string;
  prompt: PromptRecord;
  range: Range;
  status: number | undefined;
}

/** The calls of one prompt: by version and label over time, and why renders failed. */
export async function readPromptStatistics(ctx: Context, { workspaceId, prompt, range, status }: PromptStatisticsOptions) {
  const query = { accountId: workspaceId, promptId: prompt.id, times: storedTimesOf(range) };
  const { series, byStatus, byVersion, errors } = await ctx.store.promptStatistics.read(query, async (reader) => {
    const totals = createTotals(range);
    for await (const rows of reader.rows(status)) rows.forEach(totals.add);
    return { ...(await totals.result()), errors: await readErrors(reader, status) };
  });
  const versions = byVersion.map(({ version, label, calls }) => ({ version, label, calls }));
  const calls = byStatus.reduce((sum, row) => sum + row.calls, 0);
  const failed = byStatus.reduce((sum, row) => sum + errorsOf(row.status, row.calls), 0);
  return {
    durationMs: { p50: null, p95: null, p99: null },
    series,
    byRoute: [],
    byPrompt: calls === 0 ? [] : [{ promptId: prompt.id, name: prompt.name, calls, errors: failed, versions }],
    byStatus,
    byVersion,
    errors,
  };
}

type VersionCounts = NonNullable<Statistics['byVersion']>[number];

/** Adds up rows as they are read, because there may be very many. */
function createTotals(range: Range) {
  const starts = startsOf(range);
  const indexOf = new Map(starts.map((time, index) => [time, index]));
  const series = starts.map((time) => ({ time, calls: 0, errors: 0 }));
  const statuses = new Map<number, number>();
  const versions = new Map<string, Omit<VersionCounts, 'series'> & { byInterval: Map<number, number> }>();

  return {
    add({ time, version, label, status, calls }: PromptRow): void {
      const index = indexOf.get(startOf(time, range.interval)) ?? 0;
      const point = series[index];
      if (!point) return;
      const errors = errorsOf(status, calls);
      point.calls += calls;
      point.errors += errors;
      statuses.set(status, (statuses.get(status) ?? 0) + calls);
      const key = `${version} ${label}`;
      const counts = versions.get(key) ?? { version, label: label === '' ? null : label, calls: 0, errors: 0, byInterval: new Map() };
      counts.calls += calls;
      counts.errors += errors;
      counts.byInterval.set(index, (counts.byInterval.get(index) ?? 0) + calls);
      versions.set(key, counts);
    },

    async result() {
      const busiest = await takeBusiest(versions.values(), maxVersions);
      return {
        series,
        byStatus: [...statuses].map(([status, calls]) => ({ status, calls })).sort((a, b) => a.status - b.status),
        byVersion: busiest.map(({ byInterval, ...counts }) => ({
          ...counts,
          series: starts.map((_, index) => byInterval.get(index) ?? 0),
        })),
      };
    },
  };
}

async function readErrors(reader: PromptStatisticsReader, status: number | undefined): Promise<NonNullable<Statistics['errors']>> {
  // What could not be rendered is a 422; other statuses have no causes.
  if (status !== undefined && status !== 422) return [];
  const causes = new Map<string, { code: string; name: string | null; calls: number }>();
  for await (const rows of reader.errors()) {
    for (const { code, name, calls } of rows) {
      const key = `${code} ${name}`;
      const cause = causes.get(key) ?? { code, name: name === '' ? null : name, calls: 0 };
      cause.calls += calls;
      causes.set(key, cause);
    }
  }
  return [...causes.values()].sort(byCalls).slice(0, maxErrors);
}
