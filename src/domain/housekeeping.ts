import type { Context } from './context.ts';
import { emptyBins } from './prompts.ts';

const throttleMemoryMs = 24 * 60 * 60 * 1000;

/** Deletes what has expired. Safe to run on several instances at once. */
export async function sweep(ctx: Context): Promise<void> {
  const now = new Date();
  await ctx.store.sessions.deleteExpired(now);
  await ctx.store.throttles.deleteUnusedSince(new Date(now.getTime() - throttleMemoryMs));
  await emptyBins(ctx, now);
}
