import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from '../lib/cx.ts';

export const inputClass =
  'h-8 w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm text-ink shadow-card transition-colors duration-100 hover:border-ink-3 focus-visible:border-accent focus-visible:outline-offset-0 aria-invalid:border-danger disabled:bg-sunken disabled:text-ink-3';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Stands in the field's right end. */
  action?: ReactNode;
}

/** A labelled input with its hint and, beside it, what is wrong with it. */
export function Field({ label, hint, error, action, className, ...input }: FieldProps) {
  const id = useId();
  const describedBy = cx(error && `${id}-error`, hint !== undefined && `${id}-hint`) || undefined;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block font-medium text-ink text-sm">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          className={cx(inputClass, action !== undefined && 'pr-9')}
          {...input}
        />
        {action !== undefined && <div className="absolute inset-y-0 right-0 flex items-center">{action}</div>}
      </div>
      <FieldError id={`${id}-error`} error={error} />
      {hint !== undefined && (
        <div id={`${id}-hint`} className="mt-1.5 text-ink-3 text-xs">
          {hint}
        </div>
      )}
    </div>
  );
}

export function FieldError({ id, error }: { id?: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p id={id} role="alert" className="mt-1.5 text-danger text-xs">
      {error}
    </p>
  );
}

/** A failure that belongs to no single field. */
export function FormError({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <div role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger text-sm">
      {children}
    </div>
  );
}
