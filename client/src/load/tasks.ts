import { unref } from '../http/timing.ts';

/** Runs a task, but never twice at the same time. All calls during a run share one further run after it. */
export function createSingleFlight(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isWantedAgain = false;

  async function run(): Promise<void> {
    do {
      isWantedAgain = false;
      await task();
    } while (isWantedAgain);
  }

  return () => {
    if (running) isWantedAgain = true;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** A pause that does not keep the process running. `wake` ends it early. */
export interface Pause {
  sleep(ms: number): Promise<void>;
  wake(): void;
}

export function createPause(): Pause {
  const sleepers = new Set<() => void>();
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          sleepers.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        unref(timer);
        sleepers.add(end);
      }),
    wake() {
      for (const end of [...sleepers]) end();
    },
  };
}

/**
 * Keeps the process running until the work is done. Background work alone does not keep the process running, but a caller may await the
 * work.
 */
export async function holdProcess<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 60_000);
  return work.finally(() => clearInterval(timer));
}
