import { setTimeout as delay } from 'node:timers/promises';

/**
 * Repeats `runBatch` until it returns false or 0, or `signal` is aborted. Pauses as long as each batch took, because the embedded
 * database blocks the event loop meanwhile: requests get at least half of the time.
 */
export async function runInBatches(runBatch: () => Promise<boolean | number>, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const startedAt = performance.now();
    if (!(await runBatch())) return;
    await delay(performance.now() - startedAt);
  }
}
