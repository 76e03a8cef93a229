import { maxAccountActivity, maxWorkspaceEvents, maxWorkspaceHistory } from '../contract/limits.ts';
import type { KeptKind, KeptRows, RowKey } from '../store/surplus.ts';
import { runInBatches } from './batches.ts';
import type { Context } from './context.ts';

const keptNumbers: Record<KeptKind, number> = { events: maxWorkspaceEvents, history: maxWorkspaceHistory, activity: maxAccountActivity };
const accountsPerPage = 50;
/** Index entries that one query may pass over: the embedded engine blocks the event loop meanwhile. */
const walkRows = 5000;
/** Accounts with fewer rows of a kind need no further look. */
const manyRows = 1000;

interface Options {
  kept?: Record<KeptKind, number>;
  signal?: AbortSignal | undefined;
}

/**
 * Deletes the oldest events, history and activity of accounts that have more than is kept, because quotas do not limit how often
 * something is changed.
 */
export async function deleteSurplus({ store: { surplus } }: Context, { kept = keptNumbers, signal }: Options = {}): Promise<void> {
  const runAll = (runBatch: () => Promise<boolean | number>) => runInBatches(runBatch, { signal });
  const fewest = Math.min(manyRows, ...Object.values(kept));
  let afterId = '';
  await runAll(async () => {
    const page = await surplus.listAccounts(afterId, { limit: accountsPerPage, rows: fewest });
    for (const { id: accountId, prompts, kinds } of page) {
      for (const kind of kinds) {
        if (kind !== 'history') await trim({ kind, accountId }, kept[kind]);
        else if (await hasMoreHistory(accountId))
          await trimHistory(accountId, Math.max(1, Math.floor(kept.history / Math.max(1, prompts))));
      }
    }
    afterId = page.at(-1)?.id ?? '';
    return page.length > 0;
  });

  /** Keeps the newest rows. */
  async function trim(rows: KeptRows, number: number): Promise<void> {
    let last: RowKey | undefined;
    let left = number + 1;
    await runAll(async () => {
      const step = Math.min(left, walkRows);
      left -= step;
      last = await surplus.walk(rows, { before: last, rows: step });
      return last !== undefined && left > 0;
    });
    if (last === undefined || left > 0) return;
    const end = last;
    // First, because they are found only while there are too many events.
    if (rows.kind === 'events') await runAll(() => surplus.deleteDeliveries(rows.accountId, end));
    await runAll(() => surplus.delete(rows, end));
  }

  async function hasMoreHistory(accountId: string): Promise<boolean> {
    let last: { promptId: string; id: string } | undefined = { promptId: '', id: '' };
    let left = kept.history + 1;
    await runAll(async () => {
      const step = Math.min(left, walkRows);
      left -= step;
      last = last && (await surplus.walkHistory(accountId, last, step));
      return last !== undefined && left > 0;
    });
    return last !== undefined && left === 0;
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
