import { AppError } from '../../errors.ts';
import type { NewResults, ResultBatch } from '../../store/statistics/counted-calls.ts';
import type { Store } from '../../store/store.ts';
import { createCalledPrompts } from './called-prompts.ts';
import { createNameLimits } from './name-limits.ts';
import { countResults, type Dropped, type Measured } from './result-counters.ts';

export interface WithResults {
  results: ResultRecorder;
}

export type ResultRecorder = ReturnType<typeof createResultRecorder>;

/** What one request adds. */
export interface Recording extends Omit<ResultBatch<Measured>, 'minute'> {
  dropped: Dropped[];
}

interface Waiting extends Recording {
  resolve(): void;
  reject(err: unknown): void;
}

/** The maximum number of calls in one transaction. */
const maxCalls = 1000;
/** The number of a workspace's new calls after which its oldest rows are deleted if there are too many rows. */
const callsPerTrim = 100_000;

/**
 * Records what programs report. `record` resolves after the transaction has been committed. Requests that arrive during a transaction share
 * the next one, so that many requests need few transactions.
 */
export function createResultRecorder({ statistics }: Pick<Store, 'statistics'>, { trim }: { trim(accountId: string): void }) {
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  const newCalls = new Map<string, number>();
  const calledPrompts = createCalledPrompts();

  async function recordAll(): Promise<void> {
    while (waiting.length > 0) {
      const taken = takeBatch();
      const at = new Date();
      const batch = {
        minute: toMinute(at),
        calls: taken.flatMap(({ calls }) => calls),
        ends: taken.flatMap(({ ends }) => ends),
        scores: taken.flatMap(({ scores }) => scores),
      };
      const dropped = taken.flatMap((recording) => recording.dropped);
      let counted: NewResults<Measured>['calls'] = [];
      try {
        await statistics.recordResults(batch, (results: NewResults<Measured>) => {
          counted = results.calls;
          return countResults(results, { at, dropped });
        });
        for (const { resolve } of taken) resolve();
        noteCalls(taken);
      } catch (cause) {
        const err = cause instanceof AppError ? cause : new AppError('database_unavailable', { cause });
        for (const { reject } of taken) reject(err);
      }
      // Prompts are noted after an error, too, because the transaction may have been committed.
      for (const { version: called } of counted) if (called.label !== '') calledPrompts.add(called.accountId, called.promptId);
    }
  }

  function takeBatch(): Waiting[] {
    let calls = 0;
    const end = waiting.findIndex((recording) => {
      calls += recording.calls.length;
      return calls > maxCalls;
    });
    return waiting.splice(0, end === -1 ? waiting.length : Math.max(1, end));
  }

  function noteCalls(taken: Waiting[]): void {
    for (const { calls } of taken) {
      const accountId = calls[0]?.call.accountId;
      if (accountId === undefined) continue;
      const count = (newCalls.get(accountId) ?? 0) + calls.length;
      newCalls.set(accountId, count);
      if (count < callsPerTrim) continue;
      newCalls.delete(accountId);
      trim(accountId);
    }
  }

  return {
    limits: createNameLimits(),

    /** The prompts that have new calls and whose versions have to be compared. */
    calledPrompts,

    /** Records what one request adds. Resolves after the commit. */
    async record(recording: Recording): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ ...recording, resolve, reject });
      running ??= recordAll().finally(() => {
        running = undefined;
      });
      await promise;
    },

    /** Waits for the current transactions. */
    async stop(): Promise<void> {
      await running;
    },
  };
}

export function toMinute(time: Date): string {
  return time.toISOString().slice(0, '2026-03-01T14:05'.length);
}
