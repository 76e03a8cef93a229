import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { Skeleton } from '../ui/Skeleton.tsx';

const LoadedPane = lazyComponent(async () => (await import('./RunsPane.tsx')).RunsPane);
const LoadedComparison = lazyComponent(async () => (await import('./RunComparison.tsx')).RunComparison);

export function RunsPane(props: ComponentProps<typeof LoadedPane>) {
  return (
    <Suspense fallback={<Skeleton className="h-40 w-full" />}>
      <LoadedPane {...props} />
    </Suspense>
  );
}

export function RunComparison(props: ComponentProps<typeof LoadedComparison>) {
  return (
    <Suspense fallback={<Skeleton className="h-40 w-full" />}>
      <LoadedComparison {...props} />
    </Suspense>
  );
}
