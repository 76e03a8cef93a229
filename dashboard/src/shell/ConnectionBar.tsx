import { LoaderCircle } from 'lucide-react';
import { useConnectionLost } from '../lib/connection.ts';

/** Shown while the server is unreachable. When the server is back, the bar disappears and the content of the page recovers. */
export function ConnectionBar() {
  const isLost = useConnectionLost();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 top-2 z-[70] flex justify-center">
      {isLost && (
        <p className="flex h-8 animate-fade items-center gap-2 rounded-full bg-warn-soft px-3.5 font-medium text-warn text-xs shadow-pop">
          <LoaderCircle aria-hidden className="size-3.5 animate-spin" />
          Reconnecting…
        </p>
      )}
    </div>
  );
}
