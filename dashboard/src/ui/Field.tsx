import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from '../lib/cx.ts';

export const inputClass =
  'h-8 w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm text-ink shadow-card transition-colors duration-100 hover:border-ink-3 focus-visible:border-accent focus-visible:outline-offset-0 aria-invalid:border-danger disabled:bg-sunken disabled:text-ink-3 read-only:bg-sunken';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** An element that is shown inside the right end of the input. */
  action?: ReactNode;
}

/** An input with its label, hint and error. */
export function Field({ label, hint, error, action, ...input }: FieldProps) {
  const id = useId();
  const describedBy = cx(error && `${id}-error`, hint !== undefined && `${id}-hint`) || undefined;
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium text-ink text-sm">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          dir="auto"
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          className={cx(inputClass, action !== undefined && 'pr-9')}
          {...input}
        />
        {action !== undefined && <div className="absolute inset-y-0 right-0 flex items-center">{action}</div>}
      </div>
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
      {hint !== undefined && (
        <div id={`${id}-hint`} className="mt-1.5 text-ink-3 text-xs">
          {hint}
        </div>
      )}
    </div>
  );
}

/** An error below its field. */
export function ErrorText({ id, children }: { id: string; children: string | undefined }) {
  if (!children) return null;
  return (
    <p id={id} role="alert" className="mt-1.5 text-danger text-xs">
      {children}
    </p>
  );
}

/** An error that belongs to no single field. */
export function FormError({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <div role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger text-sm">
      {children}
    </div>
  );
}
