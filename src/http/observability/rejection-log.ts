import type { Logger } from 'pino';

export type RejectionLog = ReturnType<typeof createRejectionLog>;

interface Window {
  count: number;
  reason: string | undefined;
}

const windowMs = 1000;

/**
 * Logs what is rejected because the service, not the request, has a problem. These come in floods, so after the first of a kind there
 * is at most one line a second, which says how many there were. Without stacks: they would all show the same place.
 */
export function createRejectionLog(logger: Pick<Logger, 'warn'>) {
  const windows = new Map<string, Window>();

  function openWindow(code: string): void {
    windows.set(code, { count: 0, reason: undefined });
    setTimeout(closeWindow, windowMs, code).unref();
  }

  function closeWindow(code: string): void {
    const { count = 0, reason } = windows.get(code) ?? {};
    windows.delete(code);
    if (count === 0) return;
    logger.warn({ code, count, reason }, 'rejected');
    openWindow(code);
  }

  return {
    /** `reason` is for the operator: why, in one line. */
    add({ code, id, reason }: { code: string; id?: string; reason?: string | undefined }): void {
      const window = windows.get(code);
      if (window) {
        window.count += 1;
        window.reason = reason;
        return;
      }
      logger.warn({ id, code, count: 1, reason }, 'rejected');
      openWindow(code);
    },
  };
}
