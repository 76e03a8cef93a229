import { ApiError } from '../errors.ts';

/** Waits for the delay. If the signal is aborted, rejects with its reason. */
export function wait(ms: number, signal?: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Returns a random delay below a limit that doubles with each attempt, so that many clients do not retry at the same moment. */
export function backoff(attempt: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  const limit = Math.min(maxMs, firstMs * 2 ** attempt);
  return limit / 2 + (Math.random() * limit) / 2;
}

/**
 * Returns how long to wait before the next attempt: the time that the service asked for, plus a random part, because other clients were
 * asked to wait for the same time.
 */
export function retryDelay(err: unknown, attempt: number): number {
  const asked = err instanceof ApiError ? err.retryAfterMs : undefined;
  const delay = backoff(attempt, { firstMs: 500, maxMs: 8000 });
  return asked === undefined ? delay : asked + delay / 2;
}

/** `Retry-After` is a number of seconds or a date. */
export function parseRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** Lets the process exit although the timer or socket is open. Only timers and sockets of Node keep a process running. */
export function unref(handle: unknown): void {
  if (typeof handle === 'object' && handle !== null && 'unref' in handle && typeof handle.unref === 'function') handle.unref();
}
