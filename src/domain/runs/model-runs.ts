import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { createByteBudget } from '../../platform/scheduling/byte-budget.ts';
import { createFairQueue } from '../../platform/scheduling/fair-queue.ts';
import { byteLimits, queueLimits } from '../../platform/scheduling/limits.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithAccessWatch } from '../access-watch.ts';
import type { ChatLimits } from '../connections/model-server.ts';
import type { WithMail } from '../mail/mail.ts';
import type { WithOutbound } from '../outbound/outbound.ts';
import type { WithRenderables } from '../prompts/render/renderables.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
import type { WithTemplates } from '../templates/templates.ts';
import type { Completion } from './chat.ts';

export type CountedCompletion = Completion & { cost: number | null };

export interface WithModelRuns {
  modelRuns: ReturnType<typeof createModelRuns>;
}

/** The dependencies of use cases that call models. */
export interface WithModels extends WithMail, WithModelRuns, WithStore, WithKeyring, WithOutbound, WithAccessWatch, WithRecorder {}

/** The dependencies of use cases that render prompts for models. */
export interface WithRuns extends WithModels, WithTemplates, WithRenderables {}

/** The time for which a failed run keeps its slot. */
const failurePauseMs = 1000;
const defaultLimits: ChatLimits = { timeoutMs: 10 * 60_000, idleTimeoutMs: 2 * 60_000, retryMs: 2000 };

/**
 * Tracks the requests to models that are in progress. Workspaces share the slots fairly, and all requests are canceled before the service
 * stops.
 */
export function createModelRuns() {
  const queue = createFairQueue(queueLimits.modelRuns);
  const stopping = new AbortController();
  return {
    limits: { ...defaultLimits },
    /** Limits the memory for data that has arrived from models and is not yet sent or stored. */
    memory: createByteBudget(byteLimits.modelRuns),
    /**
     * Runs a task when it is the workspace's turn. The task's signal is aborted when the caller's signal is aborted, or when the service
     * stops.
     */
    run(workspaceId: string, signal: AbortSignal, task: (signal: AbortSignal) => Promise<CountedCompletion>): Promise<CountedCompletion> {
      const ending = AbortSignal.any([signal, stopping.signal]);
      const { promise, resolve, reject } = Promise.withResolvers<CountedCompletion>();
      const run = async () => {
        const completion = await task(ending);
        resolve(completion);
        // The caller already has its response. The slot is kept for a moment, so that a server that fails immediately is not called in a
        // tight loop.
        if (completion.error) await delay(failurePauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      };
      queue.run(workspaceId, run, ending).catch(reject);
      return promise;
    },
    /** This signal is aborted when the service stops. */
    stopping: stopping.signal,
    stop: () => stopping.abort(new AppError('service_stopping')),
  };
}
