import { AppError } from '../errors.ts';

/** Lets a few tasks run at a time, a bounded number wait, and refuses the rest. */
export interface ConcurrencyLimit {
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
        // The place is handed straight to the next in line, so that nobody can slip in between.
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
