const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const maxRetryAfterMs = 24 * hourMs;
const maxJitter = 0.1;

/** How long to wait after each failed attempt. After one more, the delivery has failed. */
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

/** When to try again, or undefined if that was the last attempt. `failures` includes it. */
export function findNextAttempt(
  failures: number,
  { retryAfterMs = 0, delaysMs = retryDelaysMs, now = new Date() }: { retryAfterMs?: number | undefined; delaysMs?: number[]; now?: Date },
): Date | undefined {
  const delayMs = delaysMs[failures - 1];
  if (delayMs === undefined) return undefined;
  // Only ever later, so that many deliveries that failed at once do not come back at once.
  return new Date(now.getTime() + Math.max(delayMs, retryAfterMs) * (1 + Math.random() * maxJitter));
}

/** Reads a Retry-After header: seconds or a date. At most a day. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * secondMs : Date.parse(text) - now.getTime();
  return ms > 0 ? Math.min(ms, maxRetryAfterMs) : undefined;
}
