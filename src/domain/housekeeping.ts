import { resultAlertDays, runRetentionDays } from '../contract/limits.ts';
import { type Repeating, repeat } from '../platform/scheduling/repeat.ts';
import type { AgingTable } from '../store/delete-batch.ts';
import type { WithStore } from '../store/store.ts';
import { removeDeletedAccounts } from './accounts/remove-accounts.ts';
import { runInBatches } from './batches.ts';
import { deleteExcessRows } from './delete-excess-rows.ts';
import { emptyBins } from './prompts/prompts.ts';
import { expireProposals } from './proposals/expire-proposals.ts';
import { sweepResults } from './results/retention.ts';
import type { WithActivityRetention } from './workspaces/workspace-activity.ts';

const dayMs = 24 * 60 * 60 * 1000;
const sweepIntervalMs = 60 * 60 * 1000;
const hourlyStatisticsRetentionDays = 90;
/** Statistics are kept for one day longer than they can be queried, so that the oldest day is complete. */
const statisticsRetentionDays = 401;
/** Proposals are kept as long as the activity in which they appear. */
const endedProposalRetentionDays = 400;
const writerRetentionDays = 30;
const keyRetentionDays = 30;
/**
 * The number of days for which the rows of each table are kept. They are counted from the time in the column that housekeeping uses to
 * search the table.
 */
const retentionDays: Record<AgingTable, number | undefined> = {
  sessions: 0,
  verifications: 0,
  cli_sign_ins: 0,
  used_tokens: 0,
  provider_logouts: 0,
  invitations: 0,
  throttles: 1,
  account_events: 400,
  // The history of a prompt is kept as long as the prompt.
  prompt_events: undefined,
  notifications: 90,
  // A client that was disconnected for longer must fetch everything again.
  events: 30,
  // Deliveries are kept as long as the events that they refer to.
  webhook_deliveries: 30,
  prompt_runs: runRetentionDays,
  model_usage: 400,
  // A version whose alert was deleted is compared again if it gets its label again later.
  result_alerts: resultAlertDays,
  deleted_accounts: 400,
};

/**
 * Starts a sweep immediately, and then another sweep every hour. A stop ends the sweep after its current batch. The next sweep continues
 * where the stopped sweep ended.
 */
export function startHousekeeping(
  ctx: WithStore & WithActivityRetention,
  { onError, intervalMs = sweepIntervalMs }: { onError(err: unknown): void; intervalMs?: number },
): Repeating {
  return repeat((signal) => sweep(ctx, new Date(), signal), { intervalMs, atOnce: true, onError });
}

/**
 * Deletes expired data and aggregates hourly statistics into days, in batches. A sweep can be interrupted, and several instances can run a
 * sweep at the same time. An error in one table does not prevent the sweep of the other tables.
 */
export async function sweep(ctx: WithStore & WithActivityRetention, now = new Date(), signal?: AbortSignal): Promise<void> {
  const { store } = ctx;
  const errors: unknown[] = [];
  const inBatches = (runBatch: () => Promise<boolean | number>) =>
    runInBatches(runBatch, { signal }).catch((err: unknown) => void errors.push(err));

  const { activityRetentionDays: days } = ctx;
  const chosen = days === undefined ? retentionDays : { ...retentionDays, account_events: days, prompt_events: days };
  for (const [table, days] of Object.entries(chosen) as [AgingTable, number | undefined][]) {
    if (days !== undefined) await inBatches(() => store.deleteBefore(table, daysBefore(now, days)));
  }
  await inBatches(() => removeDeletedAccounts(ctx));
  await inBatches(() => emptyBins(ctx, now));
  await inBatches(() => expireProposals(ctx, now));
  await inBatches(() => store.proposals.deleteEnded(daysBefore(now, days ?? endedProposalRetentionDays).toISOString()));
  await inBatches(() => store.statistics.rollUp(toDay(daysBefore(now, hourlyStatisticsRetentionDays))));
  // The statistics are deleted again, because other instances may have written their last counts after the account was removed.
  for (const accountId of await store.accounts.listDeletedSince(daysBefore(now, 1))) {
    await inBatches(() => store.statistics.deleteAccount(accountId));
  }
  await inBatches(() => store.statistics.deleteBefore(toDay(daysBefore(now, statisticsRetentionDays))));
  await inBatches(() => store.statistics.deleteKeysBefore(toDay(daysBefore(now, keyRetentionDays))));
  await inBatches(() => store.statistics.deleteWritersUnusedSince(daysBefore(now, writerRetentionDays)));
  await sweepResults(ctx, now, signal).catch((err: unknown) => void errors.push(err));
  await deleteExcessRows(ctx, { signal }).catch((err: unknown) => void errors.push(err));
  if (errors.length > 0) throw new AggregateError(errors, 'Expired rows of some tables could not be deleted');
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs);
}

function toDay(time: Date): string {
  return time.toISOString().slice(0, '2026-03-01'.length);
}
