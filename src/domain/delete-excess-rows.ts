import { maxAccountActivity, maxWorkspaceDeliveries, maxWorkspaceEvents, maxWorkspaceHistory } from '../contract/limits.ts';
import type { GroupedKind, KeptKind, KeptRows } from '../store/excess-rows.ts';
import type { WithStore } from '../store/store.ts';
import { runInBatches } from './batches.ts';

const keptNumbers: Record<KeptKind, number> = {
  events: maxWorkspaceEvents,
  deliveries: maxWorkspaceDeliveries,
  history: maxWorkspaceHistory,
  activity: maxAccountActivity,
};
const accountsPerPage = 50;
/** An account with fewer rows than this in a table is skipped. */
const manyRows = 1000;

interface Options {
  kept?: Record<KeptKind, number>;
  signal?: AbortSignal | undefined;
}

/**
 * Deletes the oldest events, deliveries, history and activity of accounts that exceed the limit. For activity, the limit applies to each
 * type separately. Quotas alone do not limit these rows, because a prompt can be changed any number of times.
 */
export async function deleteExcessRows({ store: { excessRows } }: WithStore, { kept = keptNumbers, signal }: Options = {}): Promise<void> {
  const runAll = (runBatch: () => Promise<boolean | number>) => runInBatches(runBatch, { signal });
  const fewest = Math.min(manyRows, ...Object.values(kept));
  let afterId = '';
  await runAll(async () => {
    const page = await excessRows.listAccounts(afterId, { limit: accountsPerPage, rows: fewest });
    for (const { id: accountId, prompts, kinds } of page) {
      for (const kind of kinds) {
        if (kind === 'deliveries') await trimDeliveries(accountId);
        else if (kind === 'history') await trimHistory(accountId, prompts);
        else if (kind === 'activity') await forEachGroup(kind, accountId, (rows) => trim(rows, kept.activity));
        else await trim({ kind, accountId }, kept[kind]);
      }
    }
    afterId = page.at(-1)?.id ?? '';
    return page.length > 0;
  });

  /** Deletes old deliveries. Each webhook keeps an equal share, and a deleted webhook keeps none. Pending deliveries are kept. */
  async function trimDeliveries(accountId: string): Promise<void> {
    const webhooks = await excessRows.listWebhooks(accountId);
    const share = Math.floor(kept.deliveries / Math.max(1, webhooks.size));
    await forEachGroup('deliveries', accountId, (rows) => trim(rows, webhooks.has(rows.groupId) ? share : 0));
  }

  /** Deletes old history. Each prompt keeps an equal share. */
  async function trimHistory(accountId: string, prompts: number): Promise<void> {
    if (!(await excessRows.hasMoreHistory(accountId, kept.history))) return;
    const share = Math.max(1, Math.floor(kept.history / Math.max(1, prompts)));
    await forEachGroup('history', accountId, (rows) => trim(rows, share));
  }

  /** Deletes all rows except the newest ones. */
  async function trim(rows: KeptRows, number: number): Promise<void> {
    const last = await excessRows.findFirst(rows, number);
    if (last === undefined) return;
    if (rows.kind === 'events') {
      // The deliveries of old events are deleted first, because they could no longer be found without the events.
      await forEachGroup('deliveries', rows.accountId, (deliveries) =>
        runAll(() => excessRows.delete(deliveries, last, { withWaiting: true })),
      );
    }
    await runAll(() => excessRows.delete(rows, last));
  }

  async function forEachGroup(
    kind: GroupedKind,
    accountId: string,
    work: (rows: KeptRows & { groupId: string }) => Promise<void>,
  ): Promise<void> {
    let groupId = '';
    await runAll(async () => {
      const found = await excessRows.findGroup(kind, accountId, groupId);
      if (found === undefined) return false;
      groupId = found;
      await work({ kind, accountId, groupId });
      return true;
    });
  }
}
