import { type ComponentType, Suspense } from 'react';
import { Skeleton } from '../ui/Skeleton.tsx';

/** Shows a gray area until a view is loaded. */
export function withSkeleton<P extends object>(Loaded: ComponentType<P>) {
  return (props: P) => (
    <Suspense fallback={<Skeleton className="h-40 w-full" />}>
      <Loaded {...props} />
    </Suspense>
  );
}

/** Shows nothing until a dialog is loaded. */
export function withNothing<P extends object>(Loaded: ComponentType<P>) {
  return (props: P) => (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
