import { setImmediate as nextTurn } from 'node:timers/promises';
import { createConcurrencyLimit } from './concurrency-limit.ts';

/** Runs work after the response has been sent. Bounded, and drained before the service stops. */
export interface Background {
  run(name: string, task: () => Promise<void>): void;
  /** Resolves when all tasks are done, or after the timeout. */
  drain(timeoutMs: number): Promise<void>;
}

export function createBackground(onError: (name: string, err: unknown) => void): Background {
  const limit = createConcurrencyLimit({ running: 4, waiting: 256 });
  const tasks = new Set<Promise<void>>();

  return {
    run(name, task) {
      // Deferred by one turn of the event loop, because a synchronous SQLite query would delay the response.
      const work = nextTurn()
        .then(() => limit.run(task))
        .catch((err: unknown) => onError(name, err))
        .finally(() => tasks.delete(work));
      tasks.add(work);
    },

    async drain(timeoutMs) {
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeoutMs);
      await Promise.race([Promise.all(tasks), timeout]);
      clearTimeout(timer);
    },
  };
}
