import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { StatsSkeleton } from './Metrics.tsx';

const Runs = lazyComponent(async () => (await import('./RunStats.tsx')).RunStats);
const Results = lazyComponent(async () => (await import('../results/WorkspaceResults.tsx')).WorkspaceResults);
const Tables = lazyComponent(async () => (await import('./Breakdowns.tsx')).Breakdowns);
const Csv = lazyComponent(async () => (await import('./CsvMenu.tsx')).CsvMenu);
const Steps = lazyComponent(async () => (await import('./FirstSteps.tsx')).FirstSteps);
const Chart = lazyComponent(loadChart);

// The chart is shown only after its data has arrived, so its code is loaded at the same time.
loadChart().catch(() => undefined);

async function loadChart() {
  return (await import('./TimeChart.tsx')).TimeChart;
}

export function TimeChart(props: ComponentProps<typeof Chart>) {
  return (
    <Suspense fallback={<Skeleton className="h-64" />}>
      <Chart {...props} />
    </Suspense>
  );
}

/** Shows the statistics of runs. Most visitors look at calls, so this component is loaded separately. */
export function RunStats(props: ComponentProps<typeof Runs>) {
  return (
    <Suspense fallback={<StatsSkeleton />}>
      <Runs {...props} />
    </Suspense>
  );
}

export function WorkspaceResults(props: ComponentProps<typeof Results>) {
  return (
    <Suspense fallback={<StatsSkeleton />}>
      <Results {...props} />
    </Suspense>
  );
}

/** The tables below the chart. */
export function Breakdowns(props: ComponentProps<typeof Tables>) {
  return (
    <Suspense>
      <Tables {...props} />
    </Suspense>
  );
}

export function CsvMenu(props: ComponentProps<typeof Csv>) {
  return (
    <Suspense>
      <Csv {...props} />
    </Suspense>
  );
}

/** Shows the first steps. They are loaded separately, because only a new workspace shows them. */
export function FirstSteps(props: ComponentProps<typeof Steps>) {
  return (
    <Suspense>
      <Steps {...props} />
    </Suspense>
  );
}
