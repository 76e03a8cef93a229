import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Prompt } from '../lib/types.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import type { PromptFilters } from './filter-search.ts';
import type { Row } from './filters.ts';
import { ListHeader } from './ListHeader.tsx';
import { FolderRow, PromptRow } from './PromptRow.tsx';
import type { RowAction } from './RowMenu.tsx';
import type { Selection } from './use-selection.ts';
import { useUsage } from './use-usage.ts';
import { useVisibleRows } from './use-visible-rows.ts';

const heights = { prompt: 56, folder: 40 };
/** The next page is loaded when fewer rows than this remain. */
const rowsAhead = 30;

interface PromptListProps {
  rows: Row[];
  filters: PromptFilters;
  selection: Selection;
  onAction: (action: RowAction, prompt: Prompt) => void;
  onEndReached: () => void;
}

/** A virtual list: only the visible rows are rendered. Arrow keys, or j and k, move between the rows; x selects one. */
export function PromptList({ rows, filters, selection, onAction, onEndReached }: PromptListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [focused, setActive] = useState(0);
  const active = Math.min(focused, rows.length - 1);
  const pending = useRef<number>(undefined);
  const rowHeights = useMemo(() => rows.map(({ kind }) => heights[kind]), [rows]);
  const { first, last, totalHeight, topOf, scrollTo } = useVisibleRows(list, rowHeights);
  const usage = useUsage(rows, first, last);
  useEffect(() => {
    if (last >= rows.length - rowsAhead) onEndReached();
  }, [last, rows.length, onEndReached]);

  const move = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    pending.current = next;
    setActive(next);
    scrollTo(next);
    focusPending();
  };
  const focusPending = () => {
    const row = list.current?.querySelector<HTMLElement>(`[data-prompt-row="${pending.current}"]`);
    if (!row) return;
    row.focus({ preventScroll: true });
    pending.current = undefined;
  };
  // A distant row is rendered only after the list has scrolled to it.
  useEffect(() => {
    if (pending.current !== undefined) focusPending();
  });

  const handleKey = (event: KeyboardEvent) => {
    // React also passes on the keys of a row's open menu, although it is not inside the list.
    const isInside = event.target instanceof Node && list.current?.contains(event.target);
    if (!isInside || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = { ArrowDown: active + 1, j: active + 1, ArrowUp: active - 1, k: active - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === 'x') selection.toggle(active);
    else if (event.key === 'X') selection.toggle(active, true);
    else if (event.key === 'ArrowUp' && active === 0) document.querySelector<HTMLElement>('[aria-label="Search prompts"]')?.focus();
    else if (next !== undefined) move(next);
    else return;
    event.preventDefault();
  };
  const enter = () => move(active);
  useShortcut({ key: 'arrowdown' }, enter);
  useShortcut({ key: 'j' }, enter);
  useShortcut({ key: 'k' }, enter);

  return (
    <>
      <ListHeader rows={rows} selection={selection} />
      {/* biome-ignore lint/a11y/useSemanticElements: the rows are positioned absolutely, and a ul may contain only li. */}
      <div ref={list} role="list" onKeyDown={handleKey} className="relative" style={{ height: totalHeight }}>
        {rows.slice(first, last + 1).map((row, position) => {
          const index = first + position;
          const focus = { index, isActive: index === active, onFocus: () => setActive(index) };
          return (
            // biome-ignore lint/a11y/useSemanticElements: see above.
            <div
              role="listitem"
              key={row.kind === 'folder' ? `folder ${row.path}` : row.prompt.id}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 border-line border-b last:border-b-0"
              style={{ height: heights[row.kind], transform: `translateY(${topOf(index)}px)` }}
            >
              {row.kind === 'folder' ? (
                <FolderRow row={row} filters={filters} focus={focus} />
              ) : (
                <PromptRow
                  prompt={row.prompt}
                  usage={usage(row.prompt.name)}
                  isNested={row.isNested ?? false}
                  folder={filters.folder}
                  focus={focus}
                  isSelected={selection.has(row.prompt.id)}
                  onToggle={(extend) => selection.toggle(index, extend)}
                  onAction={(action) => onAction(action, row.prompt)}
                />
              )}
            </div>
          );
        })}
      </div>
    </>
  );
}
