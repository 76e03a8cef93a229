import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../lib/chunks.ts';

const Steps = lazyComponent(async () => (await import('./FirstSteps.tsx')).FirstSteps);

/** Only a new workspace shows these steps. */
export function FirstSteps(props: ComponentProps<typeof Steps>) {
  return (
    <Suspense>
      <Steps {...props} />
    </Suspense>
  );
}
