import type { WithBackground } from '../../platform/scheduling/background.ts';
import type { WithStore } from '../../store/store.ts';
import { runInBatches } from '../batches.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
import type { WithAudit } from './audit.ts';

/** The dependencies of use cases that delete accounts. */
export interface WithRemoval extends WithAudit, WithBackground, WithRecorder {}

/**
 * The maximum number of batches per deletion. This is enough for an ordinary account. Housekeeping removes the remaining rows of a large
 * account.
 */
const batchesAtOnce = 20;

/** Removes the rows of accounts that were just deleted, without delaying the response. Most rows are gone before the next housekeeping. */
export function removeSoon(ctx: WithRemoval, accountIds: string[]): void {
  if (accountIds.length === 0) return;
  ctx.background.run('removing the rows of deleted accounts', async () => {
    // Flushes the counts of earlier calls first. Otherwise, they would be written after the rows are removed. The recorder itself reports a
    // failure.
    await ctx.recorder.flush().catch(() => undefined);
    for (const accountId of accountIds) await removeAccountRows(ctx, accountId);
  });
}

/** Removes a batch of rows of deleted accounts. Returns false if there are none. */
export async function removeDeletedAccounts(ctx: WithStore): Promise<boolean> {
  const accountId = await ctx.store.accounts.findDeleted();
  if (accountId === undefined) return false;
  await removeBatch(ctx, accountId);
  return true;
}

async function removeAccountRows(ctx: WithStore, accountId: string): Promise<void> {
  let batches = 0;
  await runInBatches(async () => {
    batches += 1;
    return !(await removeBatch(ctx, accountId)) && batches < batchesAtOnce;
  });
}

/**
 * Removes a batch of rows of an account. The statistics are removed first, because housekeeping finds the account by a row that is removed
 * last. Returns true when nothing is left.
 */
async function removeBatch({ store }: WithStore, accountId: string): Promise<boolean> {
  return (await store.statistics.deleteAccount(accountId)) === 0 && store.accounts.removeDeleted(accountId);
}
