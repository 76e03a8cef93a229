import { X } from 'lucide-react';
import { AlertDialog as RadixAlert, Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import { Button } from './Button.tsx';
import { useReturnFocus } from './use-return-focus.ts';

// The scrim has the same z-index as the panels, so that it also covers a dialog that was opened earlier.
const scrim = 'fixed inset-0 z-50 bg-scrim data-[state=open]:animate-fade';
const panel =
  'fixed left-1/2 z-50 flex max-h-[min(98dvh_-_var(--dialog-top),52rem)] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col overflow-hidden rounded-xl bg-surface shadow-dialog focus:outline-none data-[state=open]:animate-fade top-(--dialog-top)';

interface DialogProps {
  open: boolean;
  /**
   * Called when the dialog opens or closes. If absent, only the buttons in the dialog close it. There is no ×, and Esc and clicks outside
   * have no effect.
   */
  onOpenChange?: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  wide?: boolean;
  footer?: ReactNode;
  children: ReactNode;
}

export function Dialog({ open, onOpenChange, title, description, wide = false, footer, children }: DialogProps) {
  const returnFocus = useReturnFocus(open);
  return (
    <RadixDialog.Root open={open} {...(onOpenChange && { onOpenChange })}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={scrim} />
        <RadixDialog.Content
          data-panel
          className={cx(panel, wide ? 'max-w-5xl' : 'max-w-md')}
          onInteractOutside={(event) => isInToast(event.target) && event.preventDefault()}
          {...(description === undefined && { 'aria-describedby': undefined })}
          {...returnFocus}
        >
          <div className="flex items-start gap-3 px-5 pt-4 pb-3">
            <div className="min-w-0 flex-1">
              <RadixDialog.Title className="font-semibold text-base wrap-anywhere">{title}</RadixDialog.Title>
              {description !== undefined && (
                <RadixDialog.Description asChild>
                  <div className="mt-1 text-ink-2">{description}</div>
                </RadixDialog.Description>
              )}
            </div>
            {onOpenChange && (
              <RadixDialog.Close
                aria-label="Close"
                className="-mt-1 -mr-1.5 flex size-8 items-center justify-center rounded-md text-ink-3 hover:bg-hover hover:text-ink"
              >
                <X aria-hidden className="size-4" />
              </RadixDialog.Close>
            )}
          </div>
          <div className="relative min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>
          {footer !== undefined && (
            <div className="flex flex-wrap justify-end gap-2 border-line border-t bg-sunken px-5 py-3">{footer}</div>
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/**
 * Returns whether a click was on a toast. A click on Undo or Dismiss must not close a dialog. A dismissed toast is no longer in the page by
 * then.
 */
function isInToast(target: EventTarget | null): boolean {
  return target instanceof Element && (!target.isConnected || target.closest('[data-toasts]') !== null);
}

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
  confirm: string;
  busy: boolean;
  onConfirm: () => void;
}

export function ConfirmDialog({ open, onOpenChange, title, children, confirm, busy, onConfirm }: ConfirmDialogProps) {
  const returnFocus = useReturnFocus(open);
  return (
    <RadixAlert.Root open={open} onOpenChange={onOpenChange}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={scrim} />
        <RadixAlert.Content data-panel className={cx(panel, 'max-w-md')} {...returnFocus}>
          <div className="px-5 py-4">
            <RadixAlert.Title className="font-semibold text-base wrap-anywhere">{title}</RadixAlert.Title>
            <RadixAlert.Description asChild>
              <div className="mt-2 space-y-2 text-ink-2">{children}</div>
            </RadixAlert.Description>
          </div>
          <div className="flex justify-end gap-2 border-line border-t bg-sunken px-5 py-3">
            <RadixAlert.Cancel asChild>
              <Button>Cancel</Button>
            </RadixAlert.Cancel>
            <Button kind="danger" busy={busy} onClick={onConfirm}>
              {confirm}
            </Button>
          </div>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}
