import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { cx } from '../lib/cx.ts';

const tabClass =
  '-mb-px border-transparent border-b-2 px-2 pt-1.5 pb-2.5 font-medium text-ink-2 sm:px-2.5 -outline-offset-2 hover:text-ink aria-selected:border-accent aria-selected:text-ink';

/** Returns the attributes of tabs that are links with URLs, and of the panel that shows the selected tab. */
export function useTabs(selected: string) {
  const id = useId();
  const idOf = (value: string) => `${id}-${value}`;
  return {
    tab: (value: string, isReachable = false) => ({
      id: idOf(value),
      role: 'tab',
      'aria-selected': value === selected,
      'aria-controls': id,
      // The Tab key reaches the selected tab, and the arrow keys reach the others. If a list does not contain the selected tab, the Tab key
      // reaches another tab.
      tabIndex: value === selected || isReachable ? 0 : -1,
      className: tabClass,
    }),
    panel: { id, role: 'tabpanel', 'aria-labelledby': idOf(selected), tabIndex: -1 },
  };
}

/** A list that wraps if it does not fit, so that every tab is visible on a phone and with large text. */
export function TabList({ label, labelledBy, className, children }: TabListProps) {
  return (
    <div
      role="tablist"
      aria-label={label}
      aria-labelledby={labelledBy}
      tabIndex={-1}
      onKeyDown={handleKey}
      className={cx('flex flex-wrap border-line border-b sm:gap-x-0.5', className)}
    >
      {children}
    </div>
  );
}

interface TabListProps {
  label?: string;
  labelledBy?: string;
  className?: string;
  children: ReactNode;
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
