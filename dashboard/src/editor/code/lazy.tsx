import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../../lib/chunks.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';

// CodeMirror is large and is loaded only when an editor or a comparison is shown.
const Editor = lazyComponent(async () => (await import('./CodeEditor.tsx')).CodeEditor);
const Diff = lazyComponent(async () => (await import('./Comparison.tsx')).Comparison);

export function CodeEditor(props: ComponentProps<typeof Editor>) {
  return (
    <Suspense
      fallback={
        <div data-editor-loading>
          <Skeleton className="m-3 h-24" />
        </div>
      }
    >
      <Editor {...props} />
    </Suspense>
  );
}

export function Comparison(props: ComponentProps<typeof Diff>) {
  return (
    <Suspense fallback={<Skeleton className="h-24 w-full" />}>
      <Diff {...props} />
    </Suspense>
  );
}
