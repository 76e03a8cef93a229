import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Prompt } from '../lib/types.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { FolderRow } from './FolderRow.tsx';
import { useIsFavorite } from './favorites.ts';
import type { PromptFilters, Sort } from './filter-search.ts';
import { findParent, type Row } from './folder-tree.ts';
import { ListHeader } from './ListHeader.tsx';
import { MoreRow } from './MoreRow.tsx';
import { PromptRow } from './PromptRow.tsx';
import type { PromptRows } from './prompt-rows.ts';
import type { RowAction } from './RowMenu.tsx';
import type { Selection } from './use-selection.ts';
import { useUsage } from './use-usage.ts';
import { useVisibleRows } from './use-visible-rows.ts';

const heights = { prompt: 56, folder: 40, more: 44 };
/** When fewer rows than this remain below the visible ones, the next page is loaded. */
const rowsAhead = 30;

interface PromptListProps {
  list: PromptRows;
  filters: PromptFilters;
  selection: Selection;
  onAction: (action: RowAction, prompt: Prompt) => void;
  onMoveFolder: (path: string) => void;
  onSort: (sort: Sort) => void;
}

/**
 * A virtual list: only the visible rows are rendered. Arrow keys, or j and k, move between the rows; x selects one. As in a tree, the right
 * arrow opens a folder, and the left arrow closes it or moves to the folder around the row.
 */
export function PromptList({ list, filters, selection, onAction, onMoveFolder, onSort }: PromptListProps) {
  const { rows, folders, loadMore } = list;
  const element = useRef<HTMLDivElement>(null);
  const [focused, setActive] = useState(0);
  const active = Math.min(focused, rows.length - 1);
  const pending = useRef<number>(undefined);
  const rowHeights = useMemo(() => rows.map(({ kind }) => heights[kind]), [rows]);
  const { first, last, totalHeight, topOf, scrollTo } = useVisibleRows(element, rowHeights);
  const usage = useUsage(rows, first, last);
  const isFavorite = useIsFavorite();
  useEffect(() => {
    if (last >= rows.length - rowsAhead) loadMore();
  }, [last, rows.length, loadMore]);

  const move = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    pending.current = next;
    setActive(next);
    scrollTo(next);
    focusPending();
  };
  const focusPending = () => {
    const row = element.current?.querySelector<HTMLElement>(`[data-prompt-row="${pending.current}"]`);
    if (!row) return;
    row.focus({ preventScroll: true });
    pending.current = undefined;
  };
  // The list renders a distant row only after it has scrolled to that row.
  useEffect(() => {
    if (pending.current !== undefined) focusPending();
  });

  const loading = useRef<number>(undefined);
  const loadFolder = (path: string, isRequested: boolean) => {
    if (isRequested) loading.current = rows.length;
    list.loadFolder(path);
  };
  // The new rows push the button down, so the focus moves to the first of them.
  useEffect(() => {
    if (loading.current === undefined || loading.current === rows.length) return;
    loading.current = undefined;
    pending.current = active;
    focusPending();
  });

  const openOrEnter = (isOpening: boolean) => {
    const row = rows[active];
    if (row?.kind === 'folder' && row.isOpen !== isOpening) folders.toggle(row.path);
    else if (isOpening && row?.kind === 'folder') move(active + 1);
    else if (!isOpening) move(findParent(rows, active) ?? active);
  };
  const handleKey = (event: KeyboardEvent) => {
    // React also passes on the keys of a row's open menu, although the menu is not inside the list.
    const isInside = event.target instanceof Node && element.current?.contains(event.target);
    if (!isInside || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = { ArrowDown: active + 1, j: active + 1, ArrowUp: active - 1, k: active - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === 'x') selection.toggle(active);
    else if (event.key === 'X') selection.toggle(active, true);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') openOrEnter(event.key === 'ArrowRight');
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
      <ListHeader list={list} filters={filters} selection={selection} onSort={onSort} />
      {/* biome-ignore lint/a11y/useSemanticElements: the rows are positioned absolutely, and a ul may contain only li. */}
      <div
        ref={element}
        role="list"
        onKeyDown={handleKey}
        className="relative [--indent:0.75rem] sm:[--indent:1.25rem]"
        style={{ height: totalHeight }}
      >
        {rows.slice(first, last + 1).map((row, position) => {
          const index = first + position;
          const focus = { index, isActive: index === active, onFocus: () => setActive(index) };
          return (
            // biome-ignore lint/a11y/useSemanticElements: see above.
            <div
              role="listitem"
              key={keyOf(row)}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 border-line border-b last:border-b-0"
              style={{ height: heights[row.kind], transform: `translateY(${topOf(index)}px)` }}
            >
              {row.kind === 'folder' && (
                <FolderRow
                  row={row}
                  filters={filters}
                  focus={focus}
                  onToggle={() => folders.toggle(row.path)}
                  onMove={() => onMoveFolder(row.path)}
                />
              )}
              {row.kind === 'more' && <MoreRow row={row} focus={focus} onLoad={loadFolder} />}
              {row.kind === 'prompt' && (
                <PromptRow
                  prompt={row.prompt}
                  usage={usage(row.prompt.name)}
                  depth={row.depth}
                  isInTree={row.isInTree}
                  isFavorite={isFavorite(row.prompt.id)}
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

function keyOf(row: Row): string {
  return row.kind === 'prompt' ? row.prompt.id : `${row.kind} ${row.path}`;
}
