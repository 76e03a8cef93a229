import type { ComponentProps } from 'react';
import { cx } from '../lib/cx.ts';

type ButtonKind = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet';

interface ButtonProps extends ComponentProps<'button'> {
  kind?: ButtonKind;
  size?: 'md' | 'sm';
  /** Shows that the action is in progress and ignores further clicks. */
  busy?: boolean;
}

export function Button({ kind = 'secondary', size = 'md', busy = false, type = 'button', className, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      aria-busy={busy || undefined}
      disabled={disabled || busy}
      className={cx(buttonClass(kind, size), className)}
      {...rest}
    />
  );
}

/** Returns the style of a button, which links can use too. */
export function buttonClass(kind: ButtonKind = 'secondary', size: 'md' | 'sm' = 'md'): string {
  return cx(
    'inline-flex shrink-0 select-none items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors duration-100',
    'disabled:opacity-55 aria-busy:animate-pulse-soft',
    size === 'md' ? 'h-8 px-3 text-sm' : 'h-7 px-2 text-xs',
    kinds[kind],
  );
}

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent shadow-card not-disabled:hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-surface text-ink shadow-card not-disabled:hover:bg-hover',
  ghost: 'text-ink-2 not-disabled:hover:bg-hover not-disabled:hover:text-ink',
  'danger-quiet': 'border border-line-strong bg-surface text-danger shadow-card not-disabled:hover:bg-danger-soft',
  danger: 'bg-danger-solid text-[#fff] shadow-card not-disabled:hover:opacity-90',
};

interface IconButtonProps extends ComponentProps<'button'> {
  /** A description of the button's action, for screen readers and the tooltip. */
  label: string;
}

export function IconButton({ label, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-ink-3 transition-colors duration-100 hover:bg-hover hover:text-ink disabled:opacity-55',
        className,
      )}
      {...rest}
    />
  );
}
