import { type ComponentProps, lazy, Suspense } from 'react';
import { StatsSkeleton } from './Metrics.tsx';

const Statistics = lazy(() => import('./PromptStats.tsx').then((module) => ({ default: module.PromptStats })));

/** The statistics tab of a prompt, loaded when it is opened. */
export function PromptStats(props: ComponentProps<typeof Statistics>) {
  return (
    <Suspense fallback={<StatsSkeleton />}>
      <Statistics {...props} />
    </Suspense>
  );
}
