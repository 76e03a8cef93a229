import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '../lib/cx.ts';

/** A native select, which works with every keyboard, phone and screen reader. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={cx('relative inline-block min-w-0 max-w-full', className)}>
      <select
        className="h-8 w-full appearance-none rounded-md border border-line-strong bg-surface pr-8 pl-2.5 text-ink text-sm shadow-card hover:border-ink-3"
        {...rest}
      >
        {children}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute top-2 right-2 size-4 text-ink-3" />
    </span>
  );
}
