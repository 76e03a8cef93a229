import { AppError, isDatabaseUnavailable } from '../../errors.ts';
import { createFairQueue, type FairQueue } from '../fair-queue.ts';
import { MailError } from './mail-error.ts';

export const mailKinds = ['reset link', 'verification', 'invitation', 'webhook disabled'] as const;
export const mailOutcomes = ['sent', 'failed', 'refused'] as const;
export type MailKind = (typeof mailKinds)[number];
export type MailOutcome = (typeof mailOutcomes)[number];

/** One mail to one person. */
export interface Mail {
  accountId?: string;
  /** Rejects with a MailError if it could not be sent. Called again if that may work later. */
  send(): Promise<void>;
}

export interface MailTask {
  kind: MailKind;
  accountId?: string;
  /** Who causes it: a workspace or a network. Mail is taken from each of them in turn. */
  cause: string;
  delayMs?: number;
  /** What is to be sent, found out when it is the task's turn. */
  prepare(): Promise<Mail[]>;
}

/** A mail that was not sent. */
export interface UnsentMail {
  kind: MailKind;
  accountId?: string | undefined;
  outcome: 'failed' | 'refused';
  reason: string;
}

/** Sends mail after the response. Bounded, with retries, and nothing is lost without a report. */
export interface MailQueue {
  send(task: MailTask): void;
  /** Reports a mail that is not sent because of a limit. */
  refuse(mail: Pick<UnsentMail, 'kind' | 'accountId'>, reason: string): void;
  readonly counts: ReadonlyMap<MailKind, Readonly<Record<MailOutcome, number>>>;
  /** Tasks that wait, run or are to be repeated. */
  readonly waiting: number;
  /** Ends delays and pauses. Resolves when everything was sent or given up, or after the timeout, which gives up the rest. */
  drain(timeoutMs: number): Promise<void>;
}

/** The pauses before the second attempt and those after it. */
const retryDelaysMs = [2000, 15_000, 60_000];
/** Tasks of one cause and of all of them that may wait, also for a mail server that is down. */
const maxPendingPerCause = 100;
const maxPending = 5000;
const waitTimeoutMs = 10 * 60 * 1000;

/**
 * Links that somebody waits for are sent apart from the rest, so that no number of invitations and notifications delays them. Each cause
 * has less than all connections.
 */
function createLanes(): Record<MailKind, FairQueue> {
  const waits = { waitingPerTenant: maxPendingPerCause, waiting: maxPending, waitTimeoutMs };
  const links = createFairQueue({ running: 6, runningPerTenant: 2, ...waits });
  const others = createFairQueue({ running: 3, runningPerTenant: 1, ...waits });
  return { 'reset link': links, verification: links, invitation: others, 'webhook disabled': others };
}

export function createMailQueue(onUnsent: (mail: UnsentMail) => void): MailQueue {
  const lanes = createLanes();
  const counts = new Map(mailKinds.map((kind) => [kind, { sent: 0, failed: 0, refused: 0 }]));
  const pending = new Map<MailTask, Promise<void>>();
  const pendingByCause = new Map<string, number>();
  /** Ends each delay and pause. */
  const resumes = new Set<() => void>();
  let isDraining = false;

  async function pause(ms: number): Promise<void> {
    if (isDraining) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    resumes.add(resolve);
    await promise;
    clearTimeout(timer);
    resumes.delete(resolve);
  }

  function report({ kind, accountId }: Pick<UnsentMail, 'kind' | 'accountId'>, outcome: UnsentMail['outcome'], reason: string): void {
    count(kind, outcome);
    onUnsent({ kind, accountId, outcome, reason });
  }

  function count(kind: MailKind, outcome: MailOutcome): void {
    const kept = counts.get(kind);
    if (kept) kept[outcome] += 1;
  }

  /** Runs a step of a task in its turn, again after pauses if that may help. Undefined if it was given up, which is reported. */
  async function attempt<T>(task: MailTask, accountId: string | undefined, step: () => Promise<T>): Promise<{ result: T } | undefined> {
    for (let retries = 0; ; retries += 1) {
      try {
        return { result: await lanes[task.kind].run(task.cause, step) };
      } catch (err) {
        const delayMs = isTemporary(err) && pending.has(task) ? retryDelaysMs[retries] : undefined;
        if (delayMs === undefined) {
          // After a timeout of `drain`, everything that is left has been reported.
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
      if (await attempt(task, accountId, send)) count(task.kind, 'sent');
    }
  }

  return {
    counts,

    get waiting() {
      return pending.size;
    },

    send(task) {
      const ofCause = pendingByCause.get(task.cause) ?? 0;
      if (ofCause >= maxPendingPerCause) return report(task, 'refused', 'too much mail of this workspace or network is queued');
      if (pending.size >= maxPending) return report(task, 'refused', 'too much mail is queued');
      pendingByCause.set(task.cause, ofCause + 1);
      const work = run(task).finally(() => {
        pending.delete(task);
        const left = (pendingByCause.get(task.cause) ?? 1) - 1;
        if (left > 0) pendingByCause.set(task.cause, left);
        else pendingByCause.delete(task.cause);
      });
      pending.set(task, work);
    },

    refuse: (mail, reason) => report(mail, 'refused', reason),

    async drain(timeoutMs) {
      isDraining = true;
      for (const resume of resumes) resume();
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeoutMs);
      await Promise.race([Promise.all(pending.values()), timeout]);
      clearTimeout(timer);
      for (const task of pending.keys()) report(task, 'failed', 'the service stopped');
      pending.clear();
      isDraining = false;
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
