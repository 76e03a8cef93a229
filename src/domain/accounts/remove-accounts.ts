import type { WithBackground } from '../../platform/scheduling/background.ts';
import type { WithStore } from '../../store/store.ts';
import { runInBatches } from '../batches.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
import type { WithAudit } from './audit.ts';

/** What use cases that delete accounts need. */
export interface WithRemoval extends WithAudit, WithBackground, WithRecorder {}

/** Enough for all rows of an ordinary account; what is left of a large one is up to the housekeeping. */
const batchesAtOnce = 20;

/** Removes the rows of accounts that were just deleted, after the response, so that they normally do not wait for the next sweep. */
export function removeSoon(ctx: WithRemoval, accountIds: string[]): void {
  if (accountIds.length === 0) return;
  ctx.background.run('removing the rows of deleted accounts', async () => {
    // Counts from before the deletion would otherwise be written after it. The recorder reports a failure itself.
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

/** The statistics first, because the account is found by its row. Returns true when nothing is left. */
async function removeBatch({ store }: WithStore, accountId: string): Promise<boolean> {
  return (await store.statistics.deleteAccount(accountId)) === 0 && store.accounts.removeDeleted(accountId);
}
