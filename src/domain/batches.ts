import { setTimeout as delay } from 'node:timers/promises';

/**
 * Repeats `runBatch` until it returns false or 0, or `signal` is aborted. Pauses after each batch, because the embedded database blocks the
 * event loop during a batch. By default, a pause is as long as the batch took, so that requests get at least half of the time.
 */
export async function runInBatches(
  runBatch: () => Promise<boolean | number>,
  { signal, pauses = 1 }: { signal?: AbortSignal | undefined; pauses?: number } = {},
): Promise<void> {
  while (!signal?.aborted) {
    const startedAt = performance.now();
    if (!(await runBatch())) return;
    await delay((performance.now() - startedAt) * pauses);
  }
}
