import type { PromptUsage } from '../../contract/prompts.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { startOf, toTime } from '../statistics/time-range.ts';

const hourMs = 3_600_000;

/** How often prompts were called in the last 24 hours, counted from a full hour, and when last. */
export async function readUsage(ctx: WithStore, { workspaceId }: Actor, promptIds: string[]): Promise<Map<string, PromptUsage>> {
  const since = new Date((Math.floor(Date.now() / hourMs) - 24) * hourMs);
  const usage = await ctx.store.statistics.readUsage(workspaceId, promptIds, toTime(since));
  return new Map([...usage].map(([id, { calls, lastUsed }]) => [id, { callsLast24Hours: calls, lastUsedAt: startOf(lastUsed, 'hour') }]));
}
