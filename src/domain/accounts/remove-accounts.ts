import { runInBatches } from '../batches.ts';
import type { Context } from '../context.ts';

/** Enough for all rows of an ordinary account; what is left of a large one is up to the housekeeping. */
const batchesAtOnce = 20;

/** Removes the rows of an account that was just deleted, so that they normally do not wait for the next sweep. */
export async function removeAccountRows(ctx: Context, accountId: string): Promise<void> {
  let batches = 0;
  await runInBatches(async () => {
    batches += 1;
    return !(await ctx.store.accounts.removeDeleted(accountId)) && batches < batchesAtOnce;
  });
}

/** Removes a batch of rows of deleted accounts. Returns false if there are none. */
export async function removeDeletedAccounts({ store }: Context): Promise<boolean> {
  const accountId = await store.accounts.findDeleted();
  if (accountId === undefined) return false;
  await store.accounts.removeDeleted(accountId);
  return true;
}
