import type { Holding } from '../../platform/scheduling/byte-budget.ts';
import type { WithModelRuns } from './model-runs.ts';
import type { Caller } from './runs.ts';

export type CallerWithMemory = Caller & { memory: Holding };

/**
 * Runs a task that calls a model, and counts the memory that the call uses until the task is done. If other calls need the memory, this
 * call is aborted.
 */
export async function withCallMemory<T>(
  ctx: WithModelRuns,
  workspaceId: string,
  caller: Caller,
  use: (caller: CallerWithMemory) => Promise<T>,
): Promise<T> {
  const memory = ctx.modelRuns.memory.open(workspaceId);
  try {
    return await use({ ...caller, memory, signal: AbortSignal.any([caller.signal, memory.evicted]) });
  } finally {
    memory.close();
  }
}
