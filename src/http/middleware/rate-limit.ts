import type { FastifyReply } from 'fastify';
import { AppError } from '../../errors.ts';

const minuteMs = 60_000;

export type RateLimit = ReturnType<typeof createRateLimit>;

/** The text for an account that exceeds WRITE_LIMIT_PER_MINUTE. */
export const tooManyWrites =
  'This account made too many changes within a minute. Try again later. POST /api/prompts/batch saves up to 50 prompts and counts as one change.';

interface RateLimitOptions {
  /** The name of the limit in the header. */
  name: string;
  /** The maximum number of requests per minute. Infinity means that there is no limit. */
  perMinute: number;
  /** The text of the error. */
  text?: string;
}

/**
 * Limits requests per account and clock minute, on each instance separately. Each minute starts with an empty table, which bounds the
 * memory.
 */
export function createRateLimit({ name, perMinute, text }: RateLimitOptions) {
  let minute = 0;
  let counts = new Map<string, number>();

  function countInCurrentMinute(accountId: string): number {
    const current = Math.floor(Date.now() / minuteMs);
    if (current !== minute) {
      minute = current;
      counts = new Map();
    }
    return counts.get(accountId) ?? 0;
  }

  const secondsLeft = () => Math.max(1, Math.ceil(((minute + 1) * minuteMs - Date.now()) / 1000));

  return {
    /** Counts a request of the account. Returns an error if the request exceeds the limit of the current minute. */
    take(accountId: string): AppError | undefined {
      const count = countInCurrentMinute(accountId) + 1;
      if (count > perMinute) return new AppError('rate_limited', { text, retryAfterSeconds: secondsLeft() });
      counts.set(accountId, count);
      return undefined;
    },

    /** Describes the limit and the number of requests that remain, in the form of the headers `RateLimit-Policy` and `RateLimit`. */
    describe(accountId: string): { policy: string; state: string } | undefined {
      if (perMinute === Number.POSITIVE_INFINITY) return undefined;
      const remaining = perMinute - countInCurrentMinute(accountId);
      return { policy: `"${name}";q=${perMinute};w=60`, state: `"${name}";r=${remaining};t=${secondsLeft()}` };
    },
  };
}

/** Adds the headers about the limits toward which a request was counted. */
export function addRateLimitHeaders(reply: FastifyReply, limits: RateLimit[], accountId: string): void {
  const described = limits.flatMap((limit) => limit.describe(accountId) ?? []);
  if (described.length === 0) return;
  reply.header('ratelimit-policy', described.map(({ policy }) => policy).join(', '));
  reply.header('ratelimit', described.map(({ state }) => state).join(', '));
}
