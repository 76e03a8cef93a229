import { useState } from 'react';
import { formatMs } from '../lib/format.ts';
import type { PromptResults, WorkspaceResults } from '../lib/types.ts';
import { formatCost } from '../runs/format.ts';
import type { Column } from '../stats/chart/BarChart.tsx';
import type { Layer } from '../stats/chart/Bars.tsx';
import { TimeChart } from '../stats/TimeChart.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { formatRate, type Sums } from './format.ts';
import { callLayers } from './layers.ts';

type Measure = 'calls' | 'errors' | 'p95' | 'cost';

const measures: { value: Measure; label: string }[] = [
  { value: 'calls', label: 'Calls' },
  { value: 'errors', label: 'Error rate' },
  { value: 'p95', label: 'p95' },
  { value: 'cost', label: 'Cost' },
];

const titles: Record<Measure, string> = {
  calls: 'Calls over time',
  errors: 'Error rate over time',
  p95: '95th percentile of durations over time',
  cost: 'Cost over time',
};

interface ResultsChartProps {
  results: Pick<PromptResults | WorkspaceResults, 'interval' | 'now' | 'to'> & {
    series: PromptResults['series'] | WorkspaceResults['series'];
  };
  deployments?: PromptResults['deployments'];
  at?: string | undefined;
  onOpen: (moment: string) => void;
}

/** Shows one measure over time, with the deployments. */
export function ResultsChart({ results, deployments = [], at, onOpen }: ResultsChartProps) {
  const [measure, setMeasure] = useState<Measure>('calls');
  const { series } = results;
  const valuesOf = (pick: (point: Sums) => number | null) => series.map(pick);
  const columns: Column[] = [
    { name: 'Calls', values: valuesOf(({ calls }) => calls) },
    { name: 'Error rate', values: valuesOf(({ errorRate }) => errorRate?.value ?? null), format: formatRate },
    { name: 'p50', values: valuesOf(({ durationMs }) => durationMs.p50), format: formatMs },
    { name: 'p95', values: valuesOf(({ durationMs }) => durationMs.p95), format: formatMs },
    { name: 'Cost', values: valuesOf(({ costPerCall, cost }) => (costPerCall === null ? null : cost)), format: formatCost },
  ];
  const layer = (name: string, color: string, pick: (point: Sums) => number | null): Layer[] => [
    { name, color, values: valuesOf(pick).map((value) => value ?? 0) },
  ];
  const layers = {
    calls: () => callLayers(series),
    errors: () => layer('Error rate', 'var(--chart-errors)', ({ errorRate }) => errorRate?.value ?? null),
    p95: () => layer('p95', 'var(--chart-2)', ({ durationMs }) => durationMs.p95),
    cost: () => layer('Cost', 'var(--chart-3)', ({ cost }) => cost),
  }[measure]();
  // In the view of calls, the tooltip also lists the calls of each version.
  const versions = measure === 'calls' && layers.length > 1 ? layers : [];
  return (
    <>
      <div className="mb-3">
        <Segmented label="Measure" value={measure} options={measures} onChange={setMeasure} />
      </div>
      <TimeChart
        title={titles[measure]}
        stats={results}
        layers={layers}
        columns={[...columns, ...versions]}
        {...axes[measure]}
        marks={deployments.map(({ at: moment, label, version }) => ({ at: moment, text: `${label} v${version}` }))}
        at={at}
        onOpen={onOpen}
      />
    </>
  );
}

/** The divisions of each measure's axis, and the format of its numbers. */
const axes: Record<Measure, { minStep?: number; formatTick?: (value: number) => string }> = {
  calls: {},
  errors: { minStep: 0.001, formatTick: formatRate },
  p95: { formatTick: formatMs },
  cost: { minStep: 0.000_001, formatTick: formatCost },
};
