import { useEffect, useRef } from 'react';
import { formatNumber } from '../lib/format.ts';
import { buttonClass } from '../ui/Button.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import type { MoreRow as Row } from './folder-tree.ts';
import { indentOf, type RowFocus } from './PromptRow.tsx';

const pageSize = 100;

/**
 * Stands for the prompts of a folder that are not loaded. The first prompts load when the row comes into view, and the others on request.
 */
export function MoreRow({ row, focus, onLoad }: { row: Row; focus: RowFocus; onLoad: (path: string, isRequested: boolean) => void }) {
  const { path, depth, remaining, isFirst } = row;
  const load = useRef(onLoad);
  load.current = onLoad;
  useEffect(() => {
    if (isFirst) load.current(path, false);
  }, [isFirst, path]);
  const next = Math.min(remaining, pageSize);
  return (
    <div className="flex h-full items-center px-4">
      <span className="shrink-0" style={{ width: indentOf(depth) }} />
      {isFirst ? (
        <Skeleton className="h-4 w-40" />
      ) : (
        <button
          type="button"
          data-prompt-row={focus.index}
          tabIndex={focus.isActive ? 0 : -1}
          onFocus={focus.onFocus}
          onClick={() => onLoad(path, true)}
          className={buttonClass('ghost', 'sm')}
        >
          Show {formatNumber(next)} {remaining > next ? `of the remaining ${formatNumber(remaining)}` : 'more'}
        </button>
      )}
    </div>
  );
}
