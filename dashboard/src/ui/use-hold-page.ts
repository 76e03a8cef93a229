import { useBlocker } from '@tanstack/react-router';

/**
 * Keeps the user on the page while it shows something that will not be shown again. Links and the Back button have no effect, and the
 * browser asks before a reload.
 */
export function useHoldPage(): void {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
}
