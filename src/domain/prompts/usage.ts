import type { PromptUsage } from '../../contract/prompts.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { startOf, toTime } from '../statistics/time-range.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';

const hourMs = 3_600_000;

/** Reads how often prompts were called in the last 24 hours, starting at a full hour, and when they were last called. */
export async function readUsage(ctx: WithStore, { workspaceId }: Actor, promptIds: string[]): Promise<Map<string, PromptUsage>> {
  const usage = await ctx.store.statistics.readUsage(workspaceId, promptIds, dayAgo());
  return new Map(
    [...usage].map(([id, { calls, lastUsed }]) => [id, { callsLast24Hours: calls, lastUsedAt: new Date(startOf(lastUsed)).toISOString() }]),
  );
}

/** The number of renders that would have failed. If `isExact` is false, the number is an upper limit. */
export interface FailingRenders {
  renders: number;
  isExact: boolean;
}

/**
 * For each variable, counts the renders at a label in the last 24 hours that succeeded, but would have failed if the variable were
 * required. Variables with a count of zero are left out.
 */
export async function countFailingRenders(
  ctx: WithStore & WithRecorder,
  { workspaceId }: Actor,
  { promptId, label, variables }: { promptId: string; label: string; variables: string[] },
): Promise<Map<string, FailingRenders>> {
  if (variables.length === 0) return new Map();
  // The recorder is flushed so that the most recent renders count too. The recorder itself reports a failure.
  await ctx.recorder.flush().catch(() => undefined);
  const owner = { accountId: workspaceId, promptId };
  const counts = await ctx.store.statistics.countRenders(owner, { label, variables, since: dayAgo() });
  return new Map(
    counts.flatMap(({ variable, renders, sent, isExact }) => (renders > sent ? [[variable, { renders: renders - sent, isExact }]] : [])),
  );
}

/** Returns the full hour 24 hours ago. */
function dayAgo(): string {
  return toTime(new Date((Math.floor(Date.now() / hourMs) - 24) * hourMs));
}
