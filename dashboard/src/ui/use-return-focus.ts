import { useRef } from 'react';

/** Dialogs here are opened by state, not by a trigger that Radix knows; this brings the focus back to where it was. */
export function useReturnFocus() {
  const previous = useRef<Element>(null);
  return {
    onOpenAutoFocus: () => {
      previous.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const target = previous.current?.isConnected ? previous.current : document.getElementById('main');
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    },
  };
}
