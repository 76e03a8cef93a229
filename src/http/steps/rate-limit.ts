import { AppError } from '../../errors.ts';

export interface RateLimit {
  /** Counts a call of the account. Returns the error to answer with when this minute's calls are used up. */
  take(accountId: string): AppError | undefined;
}

/** Calls per account and minute of the clock, counted by each instance for itself. Memory is bounded: a new minute starts empty. */
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
