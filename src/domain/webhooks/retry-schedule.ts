const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const maxRetryAfterMs = 24 * hourMs;
const maxJitter = 0.1;

/** The delays after each failed attempt. If the attempt after the last delay fails, the delivery has failed. */
export const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** Returns the time of the next attempt, or undefined if there are no attempts left. `failures` includes the attempt that just failed. */
export function findNextAttempt(
  failures: number,
  { retryAfterMs = 0, delaysMs = retryDelaysMs, now = new Date() }: { retryAfterMs?: number | undefined; delaysMs?: number[]; now?: Date },
): Date | undefined {
  const delayMs = delaysMs[failures - 1];
  if (delayMs === undefined) return undefined;
  // A random part is added to the delay, so that deliveries that failed at the same time are not all retried at the same time.
  return new Date(now.getTime() + Math.max(delayMs, retryAfterMs) * (1 + Math.random() * maxJitter));
}

/** Reads a Retry-After header, which contains seconds or a date. The result is at most a day. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * secondMs : Date.parse(text) - now.getTime();
  return ms > 0 ? Math.min(ms, maxRetryAfterMs) : undefined;
}
