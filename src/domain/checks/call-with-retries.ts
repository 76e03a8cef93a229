import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../actor.ts';
import type { CallerWithMemory } from '../runs/call-memory.ts';
import type { CountedCompletion, WithModels } from '../runs/model-runs.ts';
import { callModel, type ModelCall } from '../runs/runs.ts';

const maxAttempts = 3;
const maxRetryMs = 30_000;
/** The statuses of a server that is only temporarily busy. */
const retriedStatuses: (number | null)[] = [429, 503, 529];

/** Calls a model, and retries the request while the server is busy: many test cases at once easily exceed a server's rate limit. */
export async function callWithRetries(
  ctx: WithModels,
  actor: Actor,
  call: ModelCall,
  caller: CallerWithMemory,
): Promise<CountedCompletion> {
  for (let attempt = 1; ; attempt += 1) {
    const completion = await callModel(ctx, actor, call, { ...caller, onStart() {}, onEvent() {} });
    const { error } = completion;
    if (!error || !retriedStatuses.includes(error.status) || attempt === maxAttempts || caller.signal.aborted) return completion;
    const retryMs = error.retryAfterSeconds === null ? ctx.modelRuns.limits.retryMs * attempt : error.retryAfterSeconds * 1000;
    if (retryMs > maxRetryMs) return completion;
    await delay(retryMs, undefined, { signal: caller.signal }).catch(() => undefined);
  }
}
