import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  text: string;
  kind: 'done' | 'failed';
  /** Reverts the action. */
  undo?: (() => void) | undefined;
}

const lifetimeMs = 7_000;
let toasts: Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a short message about a completed action. */
export function toast(text: string, options: { undo?: () => void } = {}): number {
  return add({ text, kind: 'done', undo: options.undo });
}

/**
 * Returns a function like `toast`, for messages whose undo changes the state of the calling component. The messages disappear with the
 * component.
 */
export function useOwnToast(): typeof toast {
  const ids = useRef<number[]>([]);
  useEffect(() => () => ids.current.forEach(dismissToast), []);
  return useCallback((text, options) => {
    const id = toast(text, options);
    ids.current.push(id);
    return id;
  }, []);
}

/** Shows a short message about a failure. */
export function toastFailure(text: string): void {
  add({ text, kind: 'failed' });
}

export function dismissToast(id: number): void {
  change(toasts.filter((shown) => shown.id !== id));
}

/** Removes all messages, and with them the offers to undo. */
export function dismissToasts(): void {
  change([]);
}

export function useToasts(): Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
}

function add(parts: Omit<Toast, 'id'>): number {
  lastId += 1;
  const id = lastId;
  change([...toasts.slice(-2), { ...parts, id }]);
  setTimeout(() => dismissToast(id), lifetimeMs);
  return id;
}

function change(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
