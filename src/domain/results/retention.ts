import { resultRetention } from '../../contract/limits.ts';
import type { NewResults } from '../../store/statistics/result-batch.ts';
import type { ReleaseTable, ResultTable } from '../../store/statistics/tables.ts';
import type { WithStore } from '../../store/store.ts';
import { runInBatches } from '../batches.ts';
import { deleteOutdatedStages } from './release-retention.ts';
import { countResults } from './result-counters.ts';
import { toMinute } from './result-recorder.ts';

const hourMs = 60 * 60 * 1000;
const promptPage = 500;

/** Deletes a workspace's references, waiting scores and comments that are too old or beyond the maximum number. */
export async function trimResults({ store }: WithStore, accountId: string, now = new Date(), signal?: AbortSignal): Promise<void> {
  for (const [table, { hours, rows }] of Object.entries(resultRetention) as [ResultTable, { hours: number; rows: number }][]) {
    const before = toMinute(new Date(now.getTime() - hours * hourMs));
    const excess = (await store.statistics.findExcessTime(table, accountId, rows)) ?? '';
    const until = excess > before ? excess : before;
    let deleted = 0;
    const deleteRows = async () => {
      const rows = await store.statistics.deleteOldResults(table, accountId, until);
      deleted += rows;
      return rows;
    };
    await runInBatches(deleteRows, { signal }).finally(() =>
      table === 'waiting_scores' ? noteUnmatched({ store }, accountId, deleted, now) : undefined,
    );
  }
}

/** Counts scores as dropped if their call was never reported. */
async function noteUnmatched({ store }: WithStore, accountId: string, count: number, at: Date): Promise<void> {
  if (count === 0) return;
  const dropped = [{ accountId, reason: 'no_match', count }];
  await store.statistics.recordResults({ minute: toMinute(at), calls: [], ends: [], scores: [] }, (results: NewResults<never>) =>
    countResults(results, { at, dropped }),
  );
}

/** Trims the results of all workspaces, rates the calls that have waiting scores, and deletes the comments on deleted prompts. */
export async function sweepResults(ctx: WithStore, now: Date, signal?: AbortSignal): Promise<void> {
  const { statistics } = ctx.store;
  await forEachAccount('waiting_scores', async (accountId) => {
    const toRows = (results: NewResults<never>) => countResults(results, { at: now });
    let after: Awaited<ReturnType<typeof statistics.matchWaiting>>;
    await runInBatches(
      async () => {
        after = await statistics.matchWaiting({ accountId, after }, toRows, toMinute(now));
        return after !== undefined;
      },
      { signal },
    );
  });
  await forEachAccount('feedback_comments', (accountId) => deleteOrphanedComments(ctx, accountId, signal));
  for (const table of Object.keys(resultRetention) as ResultTable[]) {
    await forEachAccount(table, (accountId) => trimResults(ctx, accountId, now, signal));
  }
  await forEachAccount('release_stages', (accountId) => deleteOutdatedStages(ctx, accountId, now, signal));

  async function forEachAccount(table: ResultTable | ReleaseTable, work: (accountId: string) => Promise<void>): Promise<void> {
    let accountId: string | undefined = '';
    await runInBatches(
      async () => {
        accountId = await statistics.findNextAccount(table, accountId ?? '');
        if (accountId !== undefined) await work(accountId);
        return accountId !== undefined;
      },
      { signal },
    );
  }
}

/** Deletes the comments on prompts that were deleted permanently. Comments are not kept longer than the prompt. */
async function deleteOrphanedComments({ store: { statistics } }: WithStore, accountId: string, signal?: AbortSignal): Promise<void> {
  let afterId = '';
  await runInBatches(
    async () => {
      const ids = await statistics.listCommentedPrompts(accountId, { afterId, limit: promptPage });
      const names = await statistics.findPromptNames(accountId, ids);
      for (const promptId of ids) {
        if (!names.has(promptId)) await runInBatches(() => statistics.deleteComments({ accountId, promptId }), { signal });
      }
      afterId = ids.at(-1) ?? '';
      return ids.length === promptPage;
    },
    { signal },
  );
}
