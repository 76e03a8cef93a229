import { keyDays, type PromptKeyCount } from '../../contract/prompt-keys.ts';
import { countKeys, createSketch, mergeSketch } from '../../platform/key-sketch.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Counts the distinct keys of a prompt in the last days, which tells how long a release of its labels will take. */
export async function countPromptKeys(ctx: WithStore & WithRecorder, actor: Actor, name: string): Promise<PromptKeyCount> {
  const { id: promptId } = await getPromptRecord(ctx.store, actor, name);
  // The recorder is flushed so that the most recent reads count too. The recorder itself reports a failure.
  await ctx.recorder.flush().catch(() => undefined);
  const since = new Date(Date.now() - (keyDays - 1) * dayMs).toISOString().slice(0, '2026-03-01'.length);
  const all = createSketch();
  for (const sketch of await ctx.store.statistics.readKeys({ accountId: actor.workspaceId, promptId }, since)) mergeSketch(all, sketch);
  return { keys: countKeys(all), days: keyDays };
}
