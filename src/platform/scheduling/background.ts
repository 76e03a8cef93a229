import { setImmediate as nextTurn } from 'node:timers/promises';
import { createConcurrencyLimit } from './concurrency-limit.ts';

export interface WithBackground {
  background: Background;
}

/** Runs work after the response has been sent. Bounded, and drained before the service stops. */
interface Background {
  /** With `delayMs`, the task starts that much later. */
  run(name: string, task: () => Promise<void>, options?: { delayMs?: number }): void;
  /** Starts delayed tasks at once. Resolves when all tasks are done, or after the timeout. */
  drain(timeoutMs: number): Promise<void>;
}

export function createBackground(onError: (name: string, err: unknown) => void): Background {
  const limit = createConcurrencyLimit({ running: 4, waiting: 256 });
  const tasks = new Set<Promise<void>>();
  /** Ends the delay of each task that has not started. */
  const starts = new Set<() => void>();

  async function delay(delayMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, delayMs);
    starts.add(resolve);
    await promise;
    clearTimeout(timer);
    starts.delete(resolve);
  }

  return {
    run(name, task, { delayMs } = {}) {
      // Deferred by one turn of the event loop, because a synchronous SQLite query would delay the response.
      const work = (delayMs === undefined ? nextTurn() : delay(delayMs))
        .then(() => limit.run(task))
        .catch((err: unknown) => onError(name, err))
        .finally(() => tasks.delete(work));
      tasks.add(work);
    },

    async drain(timeoutMs) {
      for (const start of starts) start();
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeoutMs);
      await Promise.race([Promise.all(tasks), timeout]);
      clearTimeout(timer);
    },
  };
}
