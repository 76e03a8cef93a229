import type { Context } from './context.ts';
import { emptyBins } from './prompts/prompts.ts';

const dayMs = 24 * 60 * 60 * 1000;
const throttleMemoryMs = dayMs;
const hoursKeptDays = 90;
/** A day more than can be asked for, so that the oldest day is whole. */
const daysKept = 401;
const eventsKeptDays = 400;
const writersKeptDays = 30;

/** Deletes what has expired, and rolls old hours of the statistics into days. Safe to run on several instances at once. */
export async function sweep(ctx: Context, now = new Date()): Promise<void> {
  await ctx.store.sessions.deleteExpired(now);
  await ctx.store.passwordResets.deleteExpired(now);
  await ctx.store.throttles.deleteUnusedSince(new Date(now.getTime() - throttleMemoryMs));
  await emptyBins(ctx, now);
  await ctx.store.statistics.rollUp(dayBefore(now, hoursKeptDays));
  await ctx.store.statistics.deleteBefore(dayBefore(now, daysKept));
  await ctx.store.activity.deleteBefore(new Date(now.getTime() - eventsKeptDays * dayMs));
  await ctx.store.usageBatches.deleteWritersUnusedSince(new Date(now.getTime() - writersKeptDays * dayMs));
}

function dayBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * dayMs).toISOString().slice(0, '2026-03-01'.length);
}
