import { type Repeating, repeat } from '../../platform/scheduling/repeat.ts';
import { runInBatches } from '../batches.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';

const intervalMs = 10_000;
/** A few blocks are folded soon, so that those who read statistics find few. */
const soonMs = 60_000;
const fewBytes = 4 * 1024 * 1024;
/** Many blocks of many callers wait longer, because a caller's calls are added up in one row, */
const latestMs = 5 * 60_000;
/** but not if they are this many. */
const manyBytes = 64 * 1024 * 1024;
/** Until then, requests get three quarters of the time. */
const longPauses = 3;
/** Far longer than a step of a fold takes. */
const abandonedAfterMs = 60_000;

/**
 * Folds the counted calls that were written as blocks into the rows of the statistics, a few minutes after the calls. Stopping ends a fold
 * after its current step; the next one continues where it ended.
 */
export function startFolding(ctx: Context, { onError }: { onError(err: unknown): void }): Repeating {
  const holder = newId('f');
  return repeat((signal) => fold(ctx, { holder, signal }), { intervalMs, onError });
}

interface FoldOptions {
  holder: string;
  signal?: AbortSignal;
  /** Blocks are folded if the oldest is this old. By default, this depends on their size. */
  ageMs?: number;
}

/** Folds until there are no blocks that are old enough, unless another instance does. */
export async function fold({ store, foldMetrics }: Context, { holder, signal, ageMs }: FoldOptions): Promise<void> {
  while (!signal?.aborted) {
    const { count, bytes } = await store.usageFolds.measure();
    foldMetrics.blocks = count;
    foldMetrics.bytes = bytes;
    if (count === 0) return;
    const now = Date.now();
    const step = await store.usageFolds.start({
      holder,
      before: new Date(now - (ageMs ?? ageFor(bytes))),
      abandonedBefore: new Date(now - abandonedAfterMs),
    });
    if (!step) return;
    await runInBatches(step, { signal, pauses: bytes < manyBytes ? longPauses : 1 });
  }
}

function ageFor(bytes: number): number {
  if (bytes >= manyBytes) return 0;
  return bytes < fewBytes ? soonMs : latestMs;
}
