import { CircleCheck, CircleX, X } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { cx } from '../lib/cx.ts';
import { dismissToast, type Toast, useToasts } from './toasts.ts';

/**
 * Shows the toasts in a polite live region, which does not interrupt a screen reader. If a dialog is open, the toasts are at the top and
 * the dialog begins below them, so that the toasts never cover its buttons.
 */
export function Toaster() {
  const toasts = useToasts();
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const height = toasts.length === 0 ? 0 : (section.current?.offsetHeight ?? 0);
    document.documentElement.style.setProperty('--toasts-height', `${height}px`);
  }, [toasts]);
  return (
    <section
      ref={section}
      data-toasts
      aria-label="Notifications"
      aria-live="polite"
      className={cx(
        'pointer-events-none fixed inset-x-4 bottom-4 z-[60] flex flex-col items-center gap-2 sm:items-end',
        'in-[body:has([data-panel])]:top-2 in-[body:has([data-panel])]:bottom-auto sm:in-[body:has([data-panel])]:items-center',
      )}
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast: { id, text, kind, undo } }: { toast: Toast }) {
  return (
    <div className="pointer-events-auto flex w-full max-w-sm animate-rise items-center gap-2.5 rounded-lg bg-surface py-2 pr-2 pl-3 shadow-pop">
      {kind === 'done' ? (
        <CircleCheck aria-hidden className="size-4 shrink-0 text-accent" />
      ) : (
        <CircleX aria-hidden className="size-4 shrink-0 text-danger" />
      )}
      <p className="min-w-0 flex-1 break-words">{text}</p>
      {undo && (
        <button
          type="button"
          className="h-7 rounded-md px-2 font-medium text-accent-ink hover:bg-accent-soft"
          onClick={() => {
            dismissToast(id);
            undo();
          }}
        >
          Undo
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className="flex size-7 items-center justify-center rounded-md text-ink-3 hover:bg-hover hover:text-ink"
        onClick={() => dismissToast(id)}
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </div>
  );
}
