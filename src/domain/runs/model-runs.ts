import { setTimeout as delay } from 'node:timers/promises';
import { type ByteBudget, createByteBudget } from '../../platform/scheduling/byte-budget.ts';
import { createFairQueue } from '../../platform/scheduling/fair-queue.ts';
import { byteLimits, queueLimits } from '../../platform/scheduling/limits.ts';
import type { ChatLimits } from '../connections/model-server.ts';
import type { Completion } from './chat.ts';

export type CountedCompletion = Completion & { cost: number | null };

export interface WithModelRuns {
  modelRuns: ModelRuns;
}

/** The requests to models that are under way: shared fairly between workspaces, and canceled before the service stops. */
interface ModelRuns {
  limits: ChatLimits;
  /** Bounds what has arrived from models and is not yet sent or stored. */
  memory: ByteBudget;
  /** Waits for its turn. The signal is aborted when the caller's is, or when the service stops. */
  run(workspaceId: string, signal: AbortSignal, task: (signal: AbortSignal) => Promise<CountedCompletion>): Promise<CountedCompletion>;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  stop(): void;
  readonly waiting: number;
}

/** How long a run that failed keeps its slot. */
const failurePauseMs = 1000;
const defaultLimits: ChatLimits = { timeoutMs: 10 * 60_000, idleTimeoutMs: 2 * 60_000, retryMs: 2000 };

export function createModelRuns(): ModelRuns {
  const queue = createFairQueue(queueLimits.modelRuns);
  const stopping = new AbortController();
  return {
    limits: { ...defaultLimits },
    memory: createByteBudget(byteLimits.modelRuns),
    run(workspaceId, signal, task) {
      const ending = AbortSignal.any([signal, stopping.signal]);
      const { promise, resolve, reject } = Promise.withResolvers<CountedCompletion>();
      const run = async () => {
        const completion = await task(ending);
        resolve(completion);
        // The caller has its response. A server that fails at once cannot be called over and over.
        if (completion.error) await delay(failurePauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      };
      queue.run(workspaceId, run, ending).catch(reject);
      return promise;
    },
    stopping: stopping.signal,
    stop: () => stopping.abort(),
    get waiting() {
      return queue.waiting;
    },
  };
}
