import { useBlocker } from '@tanstack/react-router';

/**
 * Keeps the user on the page while it shows something that will not be shown again. No link and no Back leads away, and before a reload the
 * browser asks.
 */
export function useHoldPage(): void {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
}
