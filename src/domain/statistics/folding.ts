import { runInBatches } from '../batches.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';

const intervalMs = 10_000;
/** Long enough that most calls of a caller are added up, short enough that the statistics of a small service have few blocks to read. */
const defaultAgeMs = 60_000;
/** Far longer than a step of a fold takes. */
const abandonedAfterMs = 60_000;

export interface Folding {
  /** Ends the fold that is running after its current step, and resolves then. The next one continues where it ended. */
  stop(): Promise<void>;
}

/** Folds the counted calls that were written as blocks into the rows of the statistics, whenever the oldest block is a minute old. */
export function startFolding(ctx: Context, { onError }: { onError(err: unknown): void }): Folding {
  const stopping = new AbortController();
  const holder = newId('f');
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= fold(ctx, { holder, signal: stopping.signal })
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(run, intervalMs);

  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

interface FoldOptions {
  holder: string;
  signal?: AbortSignal;
  /** Blocks are folded if the oldest is this old. */
  ageMs?: number;
}

/** Folds until there are no blocks that are old enough, unless another instance does. */
export async function fold({ store, foldMetrics }: Context, { holder, signal, ageMs = defaultAgeMs }: FoldOptions): Promise<void> {
  while (!signal?.aborted) {
    const { count, bytes } = await store.usageFolds.measure();
    foldMetrics.blocks = count;
    foldMetrics.bytes = bytes;
    if (count === 0) return;
    const now = Date.now();
    const step = await store.usageFolds.start({
      holder,
      before: new Date(now - ageMs),
      abandonedBefore: new Date(now - abandonedAfterMs),
    });
    if (!step) return;
    await runInBatches(step, signal);
  }
}
