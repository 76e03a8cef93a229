import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { Card } from '../ui/Card.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { OutputChoice } from './OutputChoice.tsx';

const RunPanel = lazyComponent(async () => (await import('./RunPanel.tsx')).RunPanel);

/** Shows the run next to the editor, in place of the preview. The code of this panel is loaded when it is first shown. */
export function RunCard(props: ComponentProps<typeof RunPanel>) {
  return (
    <Card>
      <div className="flex h-11 items-center pl-4">
        <h2 className="sr-only">Run</h2>
        <OutputChoice place={props.place} />
      </div>
      <div className="px-4 pb-4">
        <Suspense fallback={<Skeleton className="h-24" />}>
          <RunPanel {...props} />
        </Suspense>
      </div>
    </Card>
  );
}
