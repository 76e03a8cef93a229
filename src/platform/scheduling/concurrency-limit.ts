import { AppError } from '../../errors.ts';

/** Runs a limited number of tasks concurrently, queues a limited number, and rejects the rest. */
interface ConcurrencyLimit {
  run<T>(task: () => Promise<T>): Promise<T>;
  readonly waiting: number;
}

export function createConcurrencyLimit(limits: { running: number; waiting: number }): ConcurrencyLimit {
  const queue: (() => void)[] = [];
  let running = 0;

  return {
    async run(task) {
      if (running >= limits.running) {
        if (queue.length >= limits.waiting) throw new AppError('overloaded');
        await new Promise<void>((resolve) => queue.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await task();
      } finally {
        // The slot passes directly to the next task in the queue, so that no new task can take it first.
        const next = queue.shift();
        if (next) next();
        else running -= 1;
      }
    },

    get waiting() {
      return queue.length;
    },
  };
}
