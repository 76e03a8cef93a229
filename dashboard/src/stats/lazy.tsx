import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { StatsSkeleton } from './Metrics.tsx';

const Steps = lazyComponent(async () => (await import('./FirstSteps.tsx')).FirstSteps);
const Statistics = lazyComponent(async () => (await import('./PromptStats.tsx')).PromptStats);

/** The statistics tab of a prompt, loaded when it is opened. */
export function PromptStats(props: ComponentProps<typeof Statistics>) {
  return (
    <Suspense fallback={<StatsSkeleton />}>
      <Statistics {...props} />
    </Suspense>
  );
}

/** Only a new workspace shows them. */
export function FirstSteps(props: ComponentProps<typeof Steps>) {
  return (
    <Suspense>
      <Steps {...props} />
    </Suspense>
  );
}
