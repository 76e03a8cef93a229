import { AppError } from '../../errors.ts';

export interface RateLimit {
  /** Counts a request of the account. Returns an error if it exceeds the limit of the current minute. */
  take(accountId: string): AppError | undefined;
}

/** Limits requests per account and clock minute, on each instance separately. Memory is bounded, because each minute starts empty. */
export function createRateLimit(perMinute: number): RateLimit {
  let minute = 0;
  let counts = new Map<string, number>();

  return {
    take(accountId) {
      const now = Date.now();
      const current = Math.floor(now / 60_000);
      if (current !== minute) {
        minute = current;
        counts = new Map();
      }
      const count = (counts.get(accountId) ?? 0) + 1;
      if (count > perMinute) {
        return new AppError('rate_limited', { retryAfterSeconds: Math.ceil(((current + 1) * 60_000 - now) / 1000) });
      }
      counts.set(accountId, count);
      return undefined;
    },
  };
}
