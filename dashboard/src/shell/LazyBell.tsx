import { Suspense } from 'react';
import { lazyComponent } from '../lib/chunks.ts';

const NotificationBell = lazyComponent(async () => (await import('../notifications/NotificationBell.tsx')).NotificationBell);

/** The notification bell. The bell is loaded after the page has started, and its space is reserved until then. */
export function LazyBell() {
  return (
    <div className="size-8 shrink-0">
      <Suspense>
        <NotificationBell />
      </Suspense>
    </div>
  );
}
