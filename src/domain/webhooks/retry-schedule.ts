const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const maxRetryAfterMs = 24 * hourMs;
const maxJitter = 0.1;

/** The delays after each failed attempt. The delivery fails with the attempt after the last delay. */
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

/** Returns when to try again, or undefined if that was the last attempt. `failures` includes the last attempt. */
export function findNextAttempt(
  failures: number,
  { retryAfterMs = 0, delaysMs = retryDelaysMs, now = new Date() }: { retryAfterMs?: number | undefined; delaysMs?: number[]; now?: Date },
): Date | undefined {
  const delayMs = delaysMs[failures - 1];
  if (delayMs === undefined) return undefined;
  // The random part only lengthens the delay, so that many deliveries that failed at once are not repeated at once.
  return new Date(now.getTime() + Math.max(delayMs, retryAfterMs) * (1 + Math.random() * maxJitter));
}

/** Reads a Retry-After header, which contains seconds or a date. The result is at most a day. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * secondMs : Date.parse(text) - now.getTime();
  return ms > 0 ? Math.min(ms, maxRetryAfterMs) : undefined;
}
