import { useLayoutEffect, useRef } from 'react';

/**
 * Returns the focus when a dialog closes. Radix does this only for dialogs with a trigger, but the dashboard opens its dialogs by state.
 */
export function useReturnFocus(open: boolean) {
  const previous = useRef<Element>(null);
  // This effect runs before Radix mounts the dialog, in which a field with autoFocus takes the focus.
  useLayoutEffect(() => {
    if (open) previous.current = document.activeElement;
  }, [open]);
  return {
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (previous.current instanceof HTMLElement) previous.current.focus({ preventScroll: true });
      // The element may have been removed or disabled in the meantime.
      if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
    },
  };
}
