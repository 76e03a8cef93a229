import { setImmediate as nextTurn } from 'node:timers/promises';

export interface WithBackground {
  background: ReturnType<typeof createBackground>;
}

/** Runs tasks one at a time, after the response has been sent. The service waits for them before it stops. */
export function createBackground(onError: (name: string, err: unknown) => void) {
  let last = Promise.resolve();
  return {
    run(name: string, task: () => Promise<void>): void {
      last = last
        // Each task starts in a later turn of the event loop. Otherwise, a synchronous query would delay the response.
        .then(() => nextTurn())
        .then(task)
        .catch((err: unknown) => onError(name, err));
    },

    /** Resolves when all tasks are done, or after the timeout. */
    async drain(timeoutMs: number): Promise<void> {
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeoutMs);
      await Promise.race([last, timeout]);
      clearTimeout(timer);
    },
  };
}
