import type { LucideIcon } from 'lucide-react';
import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, type ToggleEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { cx } from '../lib/cx.ts';

interface TriggerProps {
  id?: string;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  'aria-controls'?: string;
  popoverTarget?: string;
  onKeyDown?: (event: KeyboardEvent) => void;
}

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement<TriggerProps>;
  align?: 'start' | 'end';
  children: ReactNode;
}

const itemSelector = '[role=menuitem]:not([aria-disabled=true])';
const gap = 4;
const edge = 8;

/** A menu in a native popover: the browser closes it on Escape and on a click elsewhere, and returns the focus to the button. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  const popover = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const id = useId();

  const handleBeforeToggle = (event: ToggleEvent<HTMLElement>) => {
    if (event.newState !== 'open') return;
    // The size of the menu is known only once it is open, so the menu stays invisible until it is positioned.
    event.currentTarget.style.visibility = 'hidden';
    flushSync(() => setOpen(true));
  };
  const handleToggle = (event: ToggleEvent<HTMLElement>) => {
    if (event.newState !== 'open') return setOpen(false);
    place(event.currentTarget, document.getElementById(`${id}-button`), align);
    focusItem(event.currentTarget, 0);
  };

  return (
    <>
      {cloneElement(trigger, {
        id: `${id}-button`,
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          popover.current?.showPopover();
        },
      })}
      <div
        ref={popover}
        id={id}
        popover="auto"
        className="m-0 rounded-lg bg-surface text-ink shadow-pop open:animate-fade"
        onBeforeToggle={handleBeforeToggle}
        onToggle={handleToggle}
      >
        {open && (
          <div
            role="menu"
            tabIndex={-1}
            aria-labelledby={`${id}-button`}
            className="min-w-44 p-1"
            onKeyDown={(event) => handleKey(event, event.currentTarget)}
          >
            {children}
          </div>
        )}
      </div>
    </>
  );
}

interface MenuItemProps {
  icon: LucideIcon;
  danger?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon: Icon, danger = false, onSelect, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      onClick={(event) => {
        // The menu closes first, so that a dialog opened by the action returns the focus to the menu's button.
        closeMenu(event.currentTarget);
        onSelect();
      }}
      className={cx(
        'flex h-8 w-full cursor-default select-none items-center gap-2 rounded-md px-2 text-left outline-none',
        danger ? 'text-danger focus:bg-danger-soft' : 'text-ink focus:bg-hover',
      )}
    >
      <Icon aria-hidden className={cx('size-4 shrink-0', !danger && 'text-ink-3')} />
      {children}
    </button>
  );
}

export function MenuSeparator() {
  return <hr className="-mx-1 my-1 border-line" />;
}

/** Closes the menu that contains an element. */
function closeMenu(element: HTMLElement): void {
  element.closest<HTMLElement>('[popover]')?.hidePopover();
}

/** Places the menu below the button, or above it if there is not enough space. */
function place(menu: HTMLElement, button: HTMLElement | null, align: 'start' | 'end'): void {
  menu.style.visibility = 'visible';
  if (!button) return;
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const left = align === 'start' ? at.left : at.right - width;
  const fitsBelow = at.bottom + gap + height + edge <= innerHeight;
  menu.style.left = `${Math.max(edge, Math.min(left, innerWidth - width - edge))}px`;
  menu.style.top = `${fitsBelow ? at.bottom + gap : Math.max(edge, at.top - gap - height)}px`;
}

function handleKey(event: KeyboardEvent, menu: HTMLElement): void {
  const items = [...menu.querySelectorAll<HTMLElement>(itemSelector)];
  const current = items.findIndex((item) => item.matches(':focus'));
  if (event.key === 'ArrowDown') focusItem(menu, current + 1);
  else if (event.key === 'ArrowUp') focusItem(menu, current - 1);
  else if (event.key === 'Home') focusItem(menu, 0);
  else if (event.key === 'End') focusItem(menu, -1);
  else if (event.key === 'Tab') closeMenu(menu);
  else if (event.key.length === 1 && /\S/.test(event.key)) focusByLetter(items, current, event.key.toLowerCase());
  else return;
  event.preventDefault();
}

/** Moves the focus to the item at an index, which wraps around at both ends. */
function focusItem(menu: HTMLElement, index: number): void {
  const items = [...menu.querySelectorAll<HTMLElement>(itemSelector)];
  focusInView(items.at(index % items.length));
}

function focusByLetter(items: HTMLElement[], current: number, letter: string): void {
  const ordered = [...items.slice(current + 1), ...items.slice(0, current + 1)];
  focusInView(ordered.find((item) => item.textContent.trim().toLowerCase().startsWith(letter)));
}

/** Scrolls a long list only as far as needed. */
function focusInView(item: HTMLElement | undefined): void {
  item?.focus({ preventScroll: true });
  item?.scrollIntoView({ block: 'nearest' });
}
