import type { Logger } from 'pino';

export type RejectionLog = ReturnType<typeof createRejectionLog>;

interface Window {
  count: number;
  reason: string | undefined;
}

const windowMs = 1000;

/**
 * Logs requests that are rejected because of a problem with the service, not with the request. Such rejections come in floods. After the
 * first rejection with a code, at most one line per second is therefore logged, with the number of rejections. Stacks are left out, because
 * they are all the same.
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
    /** Records a rejection. `reason` explains it to the operator in one line. */
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
