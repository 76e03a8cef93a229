import type { Statistics } from '../../contract/statistics.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { PromptRow, PromptStatisticsReader } from '../../store/statistics/prompt-statistics.ts';
import type { Context } from '../context.ts';
import { byCalls, errorsOf, takeBusiest } from './counts.ts';
import { type Range, startOf, startsOf, storedTimesOf } from './time-range.ts';
import { createVersionKeys } from './version-keys.ts';

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

/** Adds up rows as they are read, because there may be very many. */
function createTotals(range: Range) {
  const starts = startsOf(range);
  const indexOf = new Map(starts.map((time, index) => [time, index]));
  const series = starts.map((time) => ({ time, calls: 0, errors: 0 }));
  const statuses = new Map<number, number>();
  const keys = createVersionKeys();
  /** The position of each version and label in the lists below. */
  const positions = new Map<number, number>();
  const calls: number[] = [];
  const errors: number[] = [];
  /** By position and interval. */
  const callsIn = new Map<number, number>();

  function* listVersions() {
    for (const [key, position] of positions) yield { key, position, calls: calls[position] ?? 0 };
  }

  return {
    add({ time, version, label, status, calls: added }: PromptRow): void {
      const index = indexOf.get(startOf(time, range.interval)) ?? 0;
      const point = series[index];
      if (!point) return;
      const failed = errorsOf(status, added);
      point.calls += added;
      point.errors += failed;
      statuses.set(status, (statuses.get(status) ?? 0) + added);
      const key = keys.keyOf(version, label);
      const position = positions.get(key) ?? calls.length;
      positions.set(key, position);
      calls[position] = (calls[position] ?? 0) + added;
      errors[position] = (errors[position] ?? 0) + failed;
      const cell = position * starts.length + index;
      callsIn.set(cell, (callsIn.get(cell) ?? 0) + added);
    },

    async result() {
      const busiest = await takeBusiest(listVersions(), maxVersions);
      return {
        series,
        byStatus: [...statuses].map(([status, count]) => ({ status, calls: count })).sort((a, b) => a.status - b.status),
        byVersion: busiest.map(({ key, position, calls: count }) => ({
          ...keys.parse(key),
          calls: count,
          errors: errors[position] ?? 0,
          series: starts.map((_, index) => callsIn.get(position * starts.length + index) ?? 0),
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
