import { useBlocker } from '@tanstack/react-router';

/** Stays on the page while something is shown that will not be shown again: no link and no Back leads away, and before a reload the browser asks. */
export function useHoldPage(): void {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
}
