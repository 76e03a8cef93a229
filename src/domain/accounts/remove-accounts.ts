import { runInBatches } from '../batches.ts';
import type { Context } from '../context.ts';

/** Enough for all rows of an ordinary account; what is left of a large one is up to the housekeeping. */
const batchesAtOnce = 20;

/** Removes the rows of accounts that were just deleted, after the response, so that they normally do not wait for the next sweep. */
export function removeSoon(ctx: Context, accountIds: string[]): void {
  if (accountIds.length === 0) return;
  ctx.background.run('removing the rows of deleted accounts', async () => {
    for (const accountId of accountIds) await removeAccountRows(ctx, accountId);
  });
}

/** Removes a batch of rows of deleted accounts. Returns false if there are none. */
export async function removeDeletedAccounts({ store }: Context): Promise<boolean> {
  const accountId = await store.accounts.findDeleted();
  if (accountId === undefined) return false;
  await store.accounts.removeDeleted(accountId);
  return true;
}

async function removeAccountRows(ctx: Context, accountId: string): Promise<void> {
  let batches = 0;
  await runInBatches(async () => {
    batches += 1;
    return !(await ctx.store.accounts.removeDeleted(accountId)) && batches < batchesAtOnce;
  });
}
