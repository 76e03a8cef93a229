import { type ComponentProps, lazy, Suspense } from 'react';
import { Skeleton } from '../ui/Skeleton.tsx';

// CodeMirror is large and is loaded only when an editor or a comparison is shown.
const Editor = lazy(() => import('./CodeEditor.tsx').then((module) => ({ default: module.CodeEditor })));
const Diff = lazy(() => import('./Comparison.tsx').then((module) => ({ default: module.Comparison })));

export function CodeEditor(props: ComponentProps<typeof Editor>) {
  return (
    <Suspense fallback={<Skeleton className="m-3 h-24" />}>
      <Editor {...props} />
    </Suspense>
  );
}

export function Comparison(props: ComponentProps<typeof Diff>) {
  return (
    <Suspense fallback={<Skeleton className="h-40 w-full" />}>
      <Diff {...props} />
    </Suspense>
  );
}
