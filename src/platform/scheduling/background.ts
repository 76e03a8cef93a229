import { setImmediate as nextTurn } from 'node:timers/promises';

export interface WithBackground {
  background: Background;
}

/** Runs tasks one after the other, after the response has been sent. Drained before the service stops. */
interface Background {
  run(name: string, task: () => Promise<void>): void;
  /** Resolves when all tasks are done, or after the timeout. */
  drain(timeoutMs: number): Promise<void>;
}

export function createBackground(onError: (name: string, err: unknown) => void): Background {
  let last = Promise.resolve();
  return {
    run(name, task) {
      last = last
        // A synchronous query would otherwise delay the response.
        .then(() => nextTurn())
        .then(task)
        .catch((err: unknown) => onError(name, err));
    },

    async drain(timeoutMs) {
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeoutMs);
      await Promise.race([last, timeout]);
      clearTimeout(timer);
    },
  };
}
