import type { PromptResults, WorkspaceResults } from '../lib/types.ts';
import type { Layer } from '../stats/chart/Bars.tsx';

const colors = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)'];

type Series = PromptResults['series'] | WorkspaceResults['series'];

/**
 * Returns a layer for each of the versions with the most calls, and one for all other calls. If there are no versions, returns one layer.
 */
export function callLayers(series: Series): Layer[] {
  const totals = new Map<number, number>();
  for (const point of series) {
    for (const { version, calls } of versionsAt(point)) if (version !== null) totals.set(version, (totals.get(version) ?? 0) + calls);
  }
  const most = [...totals].sort(([, first], [, second]) => second - first).slice(0, colors.length);
  const layers = most
    .map(([version]) => version)
    .sort((a, b) => b - a)
    .map((version, index) => ({
      name: `v${version}`,
      color: colors[index] ?? '',
      values: series.map((point) => versionsAt(point).find((each) => each.version === version)?.calls ?? 0),
    }));
  const others = series.map(({ calls }, index) => calls - layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  if (layers.length === 0) return [{ name: 'Calls', color: colors[0] ?? '', values: others }];
  return others.some((calls) => calls > 0) ? [...layers, { name: 'Others', color: 'var(--chart-other)', values: others }] : layers;
}

function versionsAt(point: Series[number]): PromptResults['series'][number]['versions'] {
  return 'versions' in point ? point.versions : [];
}
