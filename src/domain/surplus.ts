import { maxAccountActivity, maxWorkspaceEvents, maxWorkspaceHistory } from '../contract/limits.ts';
import type { KeptTable, RowKey } from '../store/surplus.ts';
import { runInBatches } from './batches.ts';
import type { Context } from './context.ts';

const keptRows: Record<KeptTable, number> = {
  events: maxWorkspaceEvents,
  prompt_events: maxWorkspaceHistory,
  account_events: maxAccountActivity,
};
const accountsPerPage = 50;
/** Index entries that one query may pass over: the embedded engine blocks the event loop meanwhile. */
const walkRows = 5000;
/** Accounts with fewer rows in a table need no further look at it. */
const manyRows = 1000;

/**
 * Deletes the oldest events, history and activity of accounts that have more than is kept, because quotas do not limit how often
 * something is changed.
 */
export async function deleteSurplus(
  ctx: Context,
  { kept = keptRows, signal }: { kept?: Record<KeptTable, number>; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const rows = Math.min(manyRows, ...Object.values(kept));
  let afterId = '';
  await runInBatches(
    async () => {
      const page = await ctx.store.surplus.listAccounts(afterId, { limit: accountsPerPage, rows });
      for (const { id, tables } of page) for (const table of tables) await trim(ctx, { table, accountId: id, kept: kept[table], signal });
      afterId = page.at(-1)?.id ?? '';
      return page.length > 0;
    },
    { signal },
  );
}

async function trim(
  { store: { surplus } }: Context,
  { table, accountId, kept, signal }: { table: KeptTable; accountId: string; kept: number; signal: AbortSignal | undefined },
): Promise<void> {
  let last: RowKey | undefined;
  let left = kept + 1;
  const walkOn = async () => {
    const rows = Math.min(left, walkRows);
    left -= rows;
    last = await surplus.walk(table, accountId, { before: last, rows });
    return last !== undefined && left > 0;
  };
  await runInBatches(walkOn, { signal });
  if (last === undefined || left > 0) return;
  const surplusEnd = last;
  // First, because they are found only while there are too many events.
  if (table === 'events') await runInBatches(() => surplus.deleteDeliveries(accountId, surplusEnd), { signal });
  await runInBatches(() => surplus.delete(table, accountId, surplusEnd), { signal });
}
