import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { StatsSkeleton } from './Metrics.tsx';

const Statistics = lazyComponent(async () => (await import('./PromptStats.tsx')).PromptStats);

/** The statistics tab of a prompt, loaded when it is opened. */
export function PromptStats(props: ComponentProps<typeof Statistics>) {
  return (
    <Suspense fallback={<StatsSkeleton />}>
      <Statistics {...props} />
    </Suspense>
  );
}
