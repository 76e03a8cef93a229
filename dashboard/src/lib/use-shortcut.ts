import { useEffect, useRef } from 'react';

interface Shortcut {
  key: string;
  /** Whether Ctrl, or Cmd on a Mac, must be pressed. Shortcuts with this key also work while the user types. */
  withControl?: boolean;
  /** Whether the shortcut works over an open dialog. Shortcuts without Ctrl never work there. */
  inDialogs?: boolean;
}

/** Runs an action on a key, unless the user is typing or a dialog is open. */
export function useShortcut(
  { key, withControl = false, inDialogs = withControl }: Shortcut,
  action: (event: KeyboardEvent) => void,
  enabled = true,
): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    if (!enabled) return;
    const listener = (event: KeyboardEvent) => {
      const hasControl = event.ctrlKey || event.metaKey;
      if (event.key.toLowerCase() !== key || hasControl !== withControl || event.altKey || event.defaultPrevented) return;
      if (!withControl && isTyping(event.target)) return;
      if (!inDialogs && document.querySelector('[role=dialog],[role=alertdialog],[role=menu]')) return;
      event.preventDefault();
      latest.current(event);
    };
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, [key, withControl, inDialogs, enabled]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
}
