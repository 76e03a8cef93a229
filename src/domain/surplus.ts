import { maxAccountActivity, maxWorkspaceDeliveries, maxWorkspaceEvents, maxWorkspaceHistory } from '../contract/limits.ts';
import type { WithStore } from '../store/store.ts';
import type { KeptDeliveries, KeptKind, KeptRows } from '../store/surplus.ts';
import { runInBatches } from './batches.ts';

const keptNumbers: Record<KeptKind, number> = {
  events: maxWorkspaceEvents,
  deliveries: maxWorkspaceDeliveries,
  history: maxWorkspaceHistory,
  activity: maxAccountActivity,
};
const accountsPerPage = 50;
/** Accounts with fewer rows of a kind need no further look. */
const manyRows = 1000;

interface Options {
  kept?: Record<KeptKind, number>;
  signal?: AbortSignal | undefined;
}

/**
 * Deletes the oldest events, deliveries, history and activity of accounts that have more than is kept, because quotas do not limit how
 * often something is changed.
 */
export async function deleteSurplus({ store: { surplus } }: WithStore, { kept = keptNumbers, signal }: Options = {}): Promise<void> {
  const runAll = (runBatch: () => Promise<boolean | number>) => runInBatches(runBatch, { signal });
  const fewest = Math.min(manyRows, ...Object.values(kept));
  let afterId = '';
  await runAll(async () => {
    const page = await surplus.listAccounts(afterId, { limit: accountsPerPage, rows: fewest });
    for (const { id: accountId, prompts, kinds } of page) {
      for (const kind of kinds) {
        if (kind === 'deliveries') await trimDeliveries(accountId);
        else if (kind !== 'history') await trim({ kind, accountId }, kept[kind]);
        else if (await surplus.hasMoreHistory(accountId, kept.history))
          await trimHistory(accountId, Math.max(1, Math.floor(kept.history / Math.max(1, prompts))));
      }
    }
    afterId = page.at(-1)?.id ?? '';
    return page.length > 0;
  });

  /** Each webhook keeps an equal share, and a deleted webhook keeps nothing. Deliveries still waiting to be sent are kept. */
  async function trimDeliveries(accountId: string): Promise<void> {
    const webhooks = await surplus.listWebhooks(accountId);
    const share = Math.floor(kept.deliveries / Math.max(1, webhooks.size));
    let webhookId: string | undefined = '';
    await runAll(async () => {
      webhookId = await surplus.findWebhook(accountId, webhookId ?? '');
      if (webhookId === undefined) return false;
      const rows: KeptDeliveries = { kind: 'deliveries', accountId, webhookId };
      const number = webhooks.has(webhookId) ? share : 0;
      const last = await surplus.findFirst(rows, number);
      let after: number | undefined = 0;
      if (last === undefined) return true;
      await runAll(async () => {
        after = await surplus.deleteFinished(rows, { after: after ?? 0, last });
        return after !== undefined;
      });
      return true;
    });
  }

  /** Keeps the newest rows. */
  async function trim(rows: Exclude<KeptRows, KeptDeliveries>, number: number): Promise<void> {
    const last = await surplus.findFirst(rows, number);
    if (last === undefined) return;
    // First, because they are found only while there are too many events.
    if (rows.kind === 'events') await runAll(() => surplus.deleteDeliveries(rows.accountId, last));
    await runAll(() => surplus.delete(rows, last));
  }

  /** Each prompt keeps an equal share. */
  async function trimHistory(accountId: string, share: number): Promise<void> {
    let promptId: string | undefined = '';
    await runAll(async () => {
      promptId = await surplus.findPrompt(accountId, promptId ?? '');
      if (promptId !== undefined) await trim({ kind: 'history', accountId, promptId }, share);
      return promptId !== undefined;
    });
  }
}
