import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useShortcut } from '../lib/use-shortcut.ts';
import type { PromptFilters, Row } from './filters.ts';
import { FolderRow, PromptRow } from './PromptRow.tsx';

const heights = { prompt: 56, folder: 40 };

/** A virtual list: only the visible rows are rendered. Arrow keys move between the rows, which are links. */
export function PromptList({ rows, filters }: { rows: Row[]; filters: PromptFilters }) {
  const list = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  const [active, setActive] = useState(0);
  const pending = useRef<number>(undefined);
  useEffect(() => setOffset(list.current?.offsetTop ?? 0), []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => heights[rows[index]?.kind ?? 'prompt'],
    overscan: 8,
    scrollMargin: offset,
  });

  const move = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    pending.current = next;
    setActive(next);
    virtualizer.scrollToIndex(next);
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
    const next = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (event.key === 'ArrowUp' && active === 0) document.querySelector<HTMLElement>('[aria-label="Search prompts"]')?.focus();
    else move(next);
  };
  useShortcut({ key: 'arrowdown' }, () => move(active));

  return (
    // biome-ignore lint/a11y/useSemanticElements: the rows are positioned absolutely, and a ul may contain only li.
    <div ref={list} role="list" onKeyDown={handleKey} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const row = rows[index];
        if (!row) return null;
        const focus = { index, isActive: index === active, onFocus: () => setActive(index) };
        return (
          // biome-ignore lint/a11y/useSemanticElements: see above.
          <div
            role="listitem"
            key={row.kind === 'folder' ? `folder ${row.path}` : row.prompt.id}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0 border-line border-b last:border-b-0"
            style={{ height: heights[row.kind], transform: `translateY(${start - offset}px)` }}
          >
            {row.kind === 'folder' ? (
              <FolderRow row={row} filters={filters} focus={focus} />
            ) : (
              <PromptRow prompt={row.prompt} isNested={isNested(rows, index)} folder={filters.folder} focus={focus} />
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Whether a prompt is listed below a folder row. Prompts outside subfolders come first. */
function isNested(rows: Row[], index: number): boolean {
  const firstFolder = rows.findIndex(({ kind }) => kind === 'folder');
  return firstFolder !== -1 && index > firstFolder;
}
