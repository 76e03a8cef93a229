import type { Context } from './context.ts';
import { emptyBins } from './prompts/prompts.ts';

const dayMs = 24 * 60 * 60 * 1000;
const throttleRetentionDays = 1;
const hourlyStatisticsRetentionDays = 90;
/** One day more than can be queried, so that the oldest day is complete. */
const statisticsRetentionDays = 401;
const activityRetentionDays = 400;
const writerRetentionDays = 30;

/** Deletes expired data and rolls hourly statistics up into days. Safe to run on several instances concurrently. */
export async function sweep(ctx: Context, now = new Date()): Promise<void> {
  await ctx.store.sessions.deleteExpired(now);
  await ctx.store.passwordResets.deleteExpired(now);
  await ctx.store.throttles.deleteUnusedSince(daysBefore(now, throttleRetentionDays));
  await emptyBins(ctx, now);
  await ctx.store.statistics.rollUp(toDay(daysBefore(now, hourlyStatisticsRetentionDays)));
  await ctx.store.statistics.deleteBefore(toDay(daysBefore(now, statisticsRetentionDays)));
  await ctx.store.activity.deleteBefore(daysBefore(now, activityRetentionDays));
  await ctx.store.accounts.deleteDeletionsBefore(daysBefore(now, activityRetentionDays));
  await ctx.store.usageBatches.deleteWritersUnusedSince(daysBefore(now, writerRetentionDays));
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs);
}

function toDay(time: Date): string {
  return time.toISOString().slice(0, '2026-03-01'.length);
}
