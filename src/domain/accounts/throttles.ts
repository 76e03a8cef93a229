import { AppError } from '../../errors.ts';
import type { ThrottleRule } from '../../store/accounts/throttles.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithMail } from '../mail/mail.ts';
import type { UnsentMail } from '../mail/mail-queue.ts';

/** A count of attempts. Beyond a certain number, further attempts have to wait. */
export interface Limit {
  name: string;
  rule: ThrottleRule;
  /**
   * Whether a success clears the count. Otherwise, a success only subtracts its own attempt, because other people may have made the
   * remaining attempts.
   */
  clearedBySuccess?: boolean;
}

/** An attempt that was counted before its result was known. */
export type CountedAttempt = Awaited<ReturnType<typeof countAttempt>>;

const defaultMaxWaitSeconds = 15 * 60;
const forgetAfterMs = 60 * 60 * 1000;

/**
 * Returns a rule for waits. Attempt number `freeAttempts` starts the first wait. Each further attempt doubles the wait, by default up to 15
 * minutes.
 */
export function doublingWaits(
  freeAttempts: number,
  { firstWaitSeconds = 1, maxWaitSeconds = defaultMaxWaitSeconds }: { firstWaitSeconds?: number; maxWaitSeconds?: number } = {},
): ThrottleRule {
  const waitsMs: number[] = [];
  for (let seconds = firstWaitSeconds; seconds < maxWaitSeconds; seconds *= 2) waitsMs.push(seconds * 1000);
  return { freeAttempts, waitsMs: [...waitsMs, maxWaitSeconds * 1000], forgetAfterMs };
}

/**
 * Throws if the caller has to wait. This function only reads, so that refused requests cost little. `countAttempt` makes the final
 * decision.
 */
export async function assertNotThrottled(ctx: WithStore, limits: Limit[], text?: string): Promise<void> {
  const until = await ctx.store.throttles.findBlockedUntil(limits.map(({ name }) => name));
  if (until) throw tooManyAttempts(until, text);
}

/** Counts an attempt before it is made, so that concurrent attempts cannot exceed the limit. Throws if the caller has to wait. */
export async function countAttempt(ctx: WithStore, limits: Limit[], text?: string) {
  const { throttles } = ctx.store;
  const countedAt = Date.now();
  const counted = await throttles.count(limits.map(({ name, rule }) => ({ name, ...rule })));
  // The wait may have ended since the count was refused. In that case, the error states the shortest wait.
  if (!counted) throw tooManyAttempts((await throttles.findBlockedUntil(limits.map(({ name }) => name))) ?? new Date(), text);
  const isCleared = new Set(limits.filter(({ clearedBySuccess }) => clearedBySuccess).map(({ name }) => name));
  return {
    succeed: () => throttles.settle({ cleared: [...isCleared], takenBack: counted.filter(({ name }) => !isCleared.has(name)) }),

    /** Records that the attempt has failed. Returns whether this starts a wait. */
    async fail(): Promise<boolean> {
      const waits = counted.filter(({ blockedUntil }) => blockedUntil !== '');
      // The wait began when the attempt was counted. On a busy machine, hashing alone may have taken longer than the wait.
      const elapsedMs = Date.now() - countedAt;
      if (waits.length > 0 && elapsedMs > 0) await throttles.prolong(waits, elapsedMs);
      return waits.length > 0;
    },
  };
}

/** Counts an attempt. Returns false during a wait. */
export async function isFirst(ctx: WithStore, limits: Limit[]): Promise<boolean> {
  return (await ctx.store.throttles.count(limits.map(({ name, rule }) => ({ name, ...rule })))) !== undefined;
}

/** Counts an email. During a wait, reports the email as refused for the given reason and returns false. */
export async function countMail(
  ctx: WithStore & WithMail,
  limits: Limit[],
  { reason, ...mail }: Omit<UnsentMail, 'outcome'>,
): Promise<boolean> {
  try {
    await countAttempt(ctx, limits);
    return true;
  } catch (err) {
    if (!(err instanceof AppError) || err.code !== 'too_many_attempts') throw err;
    ctx.mails.refuse(mail, reason);
    return false;
  }
}

function tooManyAttempts(until: Date, text: string | undefined): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000));
  return new AppError('too_many_attempts', { retryAfterSeconds, ...(text !== undefined && { text }) });
}
