import { AppError } from '../../errors.ts';

export type RateLimit = ReturnType<typeof createRateLimit>;

/** The text for an account that exceeds WRITE_LIMIT_PER_MINUTE. */
export const tooManyWrites =
  'This account made too many changes within a minute. Try again later. POST /api/prompts/batch saves up to 50 prompts and counts as one change.';

/**
 * Limits requests per account and clock minute, on each instance separately. Each minute starts with an empty table, which bounds the
 * memory.
 */
export function createRateLimit(perMinute: number, text?: string) {
  let minute = 0;
  let counts = new Map<string, number>();

  return {
    /** Counts a request of the account. Returns an error if the request exceeds the limit of the current minute. */
    take(accountId: string): AppError | undefined {
      const now = Date.now();
      const current = Math.floor(now / 60_000);
      if (current !== minute) {
        minute = current;
        counts = new Map();
      }
      const count = (counts.get(accountId) ?? 0) + 1;
      if (count > perMinute) {
        return new AppError('rate_limited', { text, retryAfterSeconds: Math.ceil(((current + 1) * 60_000 - now) / 1000) });
      }
      counts.set(accountId, count);
      return undefined;
    },
  };
}
