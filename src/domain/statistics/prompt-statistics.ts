import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { StatisticsQuery } from '../../store/statistics/statistics.ts';
import type { Store } from '../../store/store.ts';
import { fillSeries, sumCounts } from './series.ts';
import type { Range } from './time-range.ts';

/** The calls of one prompt: by version and label over time, and why renders failed. */
export async function readPromptStatistics(
  store: Store,
  { range, prompt, query }: { range: Range; prompt: PromptRecord; query: StatisticsQuery },
) {
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
    // What could not be rendered is a 422; other statuses have no causes.
    errors: status === undefined || status === 422 ? counted.errors.map((error) => ({ ...error, name: error.name || null })) : [],
  };
}
