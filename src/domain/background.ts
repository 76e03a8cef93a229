import { setImmediate as nextTurn } from 'node:timers/promises';
import { createConcurrencyLimit } from './concurrency-limit.ts';

/** Work that an answer does not wait for. Bounded, and finished before the service stops. */
export interface Background {
  run(name: string, task: () => Promise<void>): void;
  /** Resolves when all that was started is done, or after the patience is over. */
  drain(patienceMs: number): Promise<void>;
}

export function createBackground(onError: (name: string, err: unknown) => void): Background {
  const turnstile = createConcurrencyLimit({ running: 4, waiting: 256 });
  const tasks = new Set<Promise<void>>();

  return {
    run(name, task) {
      // In a turn of its own, behind the answer: a query of the embedded store would hold that up for as long as it takes.
      const work = nextTurn()
        .then(() => turnstile.run(task))
        .catch((err: unknown) => onError(name, err))
        .finally(() => tasks.delete(work));
      tasks.add(work);
    },

    async drain(patienceMs) {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patienceMs);
      await Promise.race([Promise.all(tasks), late]);
      clearTimeout(timer);
    },
  };
}
