import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { cx } from '../lib/cx.ts';

const tabClass =
  '-mb-px shrink-0 border-transparent border-b-2 px-3 pt-1.5 pb-2.5 font-medium text-ink-2 -outline-offset-2 hover:text-ink aria-selected:border-accent aria-selected:text-ink';

/** The attributes of tabs that are links, each with its own URL, and of the panel that shows the selected one. */
export function useTabs(selected: string) {
  const id = useId();
  const idOf = (value: string) => `${id}-${value}`;
  return {
    tab: (value: string) => ({
      id: idOf(value),
      role: 'tab',
      'aria-selected': value === selected,
      'aria-controls': id,
      // Tab reaches the selected one, arrow keys the others.
      tabIndex: value === selected ? 0 : -1,
      className: tabClass,
    }),
    panel: { id, role: 'tabpanel', 'aria-labelledby': idOf(selected), tabIndex: -1 },
  };
}

export function TabList({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef<Element>(undefined);
  useEffect(() => {
    const selected = findSelected(list.current);
    // Only when another tab is selected: the user may have scrolled to the others.
    if (selected !== shown.current) showSelected(list.current);
    shown.current = selected;
  });
  useEffect(() => {
    if (!list.current) return undefined;
    const observer = new ResizeObserver(() => showSelected(list.current));
    observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={handleKey}
      className={cx('flex gap-1 overflow-x-auto border-line border-b', className)}
    >
      {children}
    </div>
  );
}

/** On a phone, tabs may be wider than the screen. */
function showSelected(list: HTMLElement | null): void {
  const selected = findSelected(list);
  if (!list || !selected) return;
  const [tab, frame] = [selected.getBoundingClientRect(), list.getBoundingClientRect()];
  if (tab.left < frame.left || tab.right > frame.right) list.scrollLeft += tab.left + tab.width / 2 - frame.left - frame.width / 2;
}

function findSelected(list: HTMLElement | null): Element | undefined {
  return list?.querySelector('[aria-selected=true]') ?? undefined;
}

function handleKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const current = tabs.findIndex((tab) => tab.matches(':focus'));
  if (event.key === 'ArrowRight') tabs[(current + 1) % tabs.length]?.focus();
  else if (event.key === 'ArrowLeft') tabs.at(current - 1)?.focus();
  else if (event.key === 'Home') tabs[0]?.focus();
  else if (event.key === 'End') tabs.at(-1)?.focus();
  else if (event.key === ' ') tabs[current]?.click();
  else return;
  event.preventDefault();
}
