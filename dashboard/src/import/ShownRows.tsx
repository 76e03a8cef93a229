import { type ReactNode, useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { Button } from '../ui/Button.tsx';

const rowsAtOnce = 100;

/** Shows the first rows of a long list, and more rows on request. */
export function ShownRows<T>({ items, renderRow }: { items: T[]; renderRow: (item: T) => ReactNode }) {
  const [shown, setShown] = useState(rowsAtOnce);
  return (
    <>
      <ul aria-label="Prompts" className="divide-y divide-line">
        {items.slice(0, shown).map(renderRow)}
      </ul>
      {items.length > shown && (
        <div className="flex items-center justify-center gap-3 border-line border-t p-3">
          <span className="text-ink-3 text-xs">
            {formatNumber(shown)} of {formatNumber(items.length)}
          </span>
          <Button size="sm" onClick={() => setShown(shown + 5 * rowsAtOnce)}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
