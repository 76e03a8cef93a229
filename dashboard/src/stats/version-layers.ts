import type { Statistics } from '../lib/types.ts';
import type { Layer } from './chart/Bars.tsx';

const colors = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)'];

/** Returns a layer for each of the most called versions, and one layer for all other calls. */
export function layersOf({ series, byVersion = [] }: Pick<Statistics, 'series' | 'byVersion'>): Layer[] {
  const layers = byVersion
    .slice(0, colors.length)
    .map((counts, index) => ({ name: versionName(counts), color: colors[index] ?? '', values: counts.series }));
  const others = series.map(({ calls }, index) => calls - layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  return others.some((calls) => calls > 0) ? [...layers, { name: 'Others', color: 'var(--chart-other)', values: others }] : layers;
}

/** Returns "production v3", or "v3" if the version was requested by its number. */
export function versionName({ version, label }: { version: number; label: string | null }): string {
  return label === null ? `v${version}` : `${label} v${version}`;
}
