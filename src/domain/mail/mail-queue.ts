import { setTimeout as delay } from 'node:timers/promises';
import { AppError, isDatabaseUnavailable } from '../../errors.ts';
import { createFairQueue, type FairQueue } from '../../platform/scheduling/fair-queue.ts';
import { queueLimits } from '../../platform/scheduling/limits.ts';
import { MailError } from './mail-error.ts';

const mailKinds = ['reset link', 'verification', 'email change', 'invitation', 'notification', 'workspace transferred'] as const;
export const mailOutcomes = ['sent', 'failed', 'refused'] as const;
export type MailKind = (typeof mailKinds)[number];
type MailOutcome = (typeof mailOutcomes)[number];

/** One email to one person. */
export interface Mail {
  accountId?: string;
  /** Rejects with a MailError if the email could not be sent. Called again if the error is temporary. */
  send(): Promise<void>;
}

export interface MailTask {
  kind: MailKind;
  accountId?: string;
  /** The workspace or network that causes the email. The queue serves the causes one at a time. */
  cause: string;
  delayMs?: number;
  /** Returns the emails to send. It is called when the queue reaches the task. */
  prepare(): Promise<Mail[]>;
}

/** An email that was not sent. */
export interface UnsentMail {
  kind: MailKind;
  accountId?: string | undefined;
  outcome: 'failed' | 'refused';
  reason: string;
}

export type MailQueue = ReturnType<typeof createMailQueue>;

/** The pauses before the second, third and fourth attempt. */
const retryDelaysMs = [2000, 15_000, 60_000];
/** The maximum time that a response waits for an email. A mail server that takes longer to accept an email counts as slow. */
const acceptTimeoutMs = 5000;
/** The maximum number of pending tasks per cause, and in total. Tasks stay pending while the mail server is down. */
const { waitingPerTenant: maxPendingPerCause, waiting: maxPending } = queueLimits.mailedLinks;

/**
 * Emails with links that someone is waiting for have a separate queue, so that invitations and notifications cannot delay them. No cause
 * can use all connections of a queue.
 */
function createLanes(): Record<MailKind, FairQueue> {
  const links = createFairQueue(queueLimits.mailedLinks);
  const others = createFairQueue(queueLimits.otherMail);
  return {
    'reset link': links,
    verification: links,
    'email change': others,
    invitation: others,
    notification: others,
    'workspace transferred': others,
  };
}

/** Sends emails after the response. The queue has a limited size, retries temporary failures, and reports every email that is not sent. */
export function createMailQueue(onUnsent: (mail: UnsentMail) => void) {
  const lanes = createLanes();
  const counts: ReadonlyMap<MailKind, Record<MailOutcome, number>> = new Map(
    mailKinds.map((kind) => [kind, { sent: 0, failed: 0, refused: 0 }]),
  );
  const pending = new Map<MailTask, Promise<void>>();
  /** `drain` aborts this controller to end delays and pauses. */
  let draining = new AbortController();
  let isStopped = false;
  /** Whether the mail server recently failed to accept an email in time and has accepted none since. */
  let isSlow = false;

  async function pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: draining.signal }).catch(() => undefined);
  }

  function report({ kind, accountId }: Pick<UnsentMail, 'kind' | 'accountId'>, outcome: UnsentMail['outcome'], reason: string): void {
    count(kind, outcome);
    onUnsent({ kind, accountId, outcome, reason });
  }

  function count(kind: MailKind, outcome: MailOutcome): void {
    const kept = counts.get(kind);
    if (kept) kept[outcome] += 1;
  }

  /**
   * Runs a step of a task when the queue reaches it, and retries temporary failures. After the last failure, reports the email as unsent
   * and returns undefined.
   */
  async function attempt<T>(task: MailTask, accountId: string | undefined, step: () => Promise<T>): Promise<{ result: T } | undefined> {
    for (let retries = 0; ; retries += 1) {
      try {
        return { result: await lanes[task.kind].run(task.cause, step) };
      } catch (err) {
        const delayMs = isTemporary(err) && pending.has(task) ? retryDelaysMs[retries] : undefined;
        if (delayMs === undefined) {
          // When `drain` times out, it reports all remaining tasks itself.
          if (pending.has(task)) report({ kind: task.kind, accountId }, 'failed', describe(err, retries + 1));
          return undefined;
        }
        await pause(delayMs);
      }
    }
  }

  async function run(task: MailTask): Promise<void> {
    await pause(task.delayMs ?? 0);
    const prepared = await attempt(task, task.accountId, task.prepare);
    for (const { accountId = task.accountId, send } of prepared?.result ?? []) {
      if (!(await attempt(task, accountId, send))) continue;
      count(task.kind, 'sent');
      isSlow = false;
    }
  }

  function findRefusal({ cause }: MailTask): string | undefined {
    if (isStopped) return 'the service is stopping';
    const ofCause = [...pending.keys()].filter((task) => task.cause === cause);
    if (ofCause.length >= maxPendingPerCause) return 'too many emails from this workspace or network are queued';
    return pending.size >= maxPending ? 'too many emails are queued' : undefined;
  }

  /** Ends delays and pauses. Resolves when every email was either sent or given up. Gives up the remaining emails after the timeout. */
  async function drain(timeoutMs: number): Promise<void> {
    draining.abort();
    const { promise: timeout, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    await Promise.race([Promise.all(pending.values()), timeout]);
    clearTimeout(timer);
    for (const task of pending.keys()) report(task, 'failed', 'the service stopped');
    pending.clear();
    draining = new AbortController();
  }

  /** Queues a task. If the task is refused, reports it and returns false. */
  function send(task: MailTask): boolean {
    const refusal = findRefusal(task);
    if (refusal !== undefined) {
      report(task, 'refused', refusal);
      return false;
    }
    const work = run(task).finally(() => pending.delete(task));
    pending.set(task, work);
    return true;
  }

  return {
    counts,
    drain,

    /** The number of tasks that wait, run or will be retried. */
    get waiting() {
      return pending.size;
    },

    send,

    /**
     * Sends an email and returns whether the mail server accepted it. Otherwise, the email may still be sent later, because the queue
     * retries. Responses do not wait for a mail server that is known to be slow.
     */
    async sendNow(task: Omit<MailTask, 'prepare'>, sendMail: Mail['send']): Promise<boolean> {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const attemptOnce = async () => {
        // From this point on, the email waits for the mail server and no longer in the queue.
        const slowTimer = setTimeout(() => {
          isSlow = true;
        }, acceptTimeoutMs);
        try {
          await sendMail();
          resolve(true);
        } catch (err) {
          resolve(false);
          throw err;
        } finally {
          clearTimeout(slowTimer);
        }
      };
      if (!send({ ...task, prepare: async () => [{ send: attemptOnce }] }) || isSlow) return false;
      const timer = setTimeout(() => resolve(false), acceptTimeoutMs);
      const isAccepted = await promise;
      clearTimeout(timer);
      return isAccepted;
    },

    /** Reports an email that is not sent because of a limit. */
    refuse: (mail: Pick<UnsentMail, 'kind' | 'accountId'>, reason: string) => report(mail, 'refused', reason),

    /**
     * Drains the queue and refuses all later emails. Emails may still arrive after the stop, from requests whose clients have disconnected.
     */
    async stop(timeoutMs: number): Promise<void> {
      isStopped = true;
      await drain(timeoutMs);
    },
  };
}

function isTemporary(err: unknown): boolean {
  return err instanceof MailError ? err.isTemporary : isDatabaseUnavailable(err);
}

function describe(err: unknown, attempts: number): string {
  const reason =
    err instanceof MailError || err instanceof AppError ? err.message : `unexpected ${err instanceof Error ? err.name : 'error'}`;
  return attempts === 1 ? reason : `${reason} (${attempts} attempts)`;
}
