import { type Repeating, repeat } from '../../platform/scheduling/repeat.ts';
import type { WithStore } from '../../store/store.ts';
import { runInBatches } from '../batches.ts';

const intervalMs = 24 * 60 * 60 * 1000;
const promptsPerPage = 500;
/** The number of prompts per transaction. It is small, because with the embedded database all other requests wait for the transaction. */
const promptsPerBatch = 4;

/**
 * Adds missing search texts, now and once a day. Earlier versions of the service do not write them, and an instance of an earlier version
 * may still be running after an upgrade.
 */
export function startFillingTexts(ctx: WithStore, { onError }: { onError(err: unknown): void }): Repeating {
  return repeat((signal) => fillTexts(ctx, signal), { intervalMs, atOnce: true, onError });
}

/**
 * Adds search texts, in batches, to all prompts whose newest and labeled versions have no text. Several instances can do this at the same
 * time.
 */
export async function fillTexts({ store }: WithStore, signal?: AbortSignal): Promise<void> {
  let after = { accountId: '', promptId: '' };
  await runInBatches(
    async () => {
      const page = await store.listTexts(after, promptsPerPage);
      const outdated = Map.groupBy(
        page.filter(({ isOutdated }) => isOutdated),
        ({ accountId }) => accountId,
      );
      for (const [accountId, prompts] of outdated) {
        const ids = prompts.map(({ promptId }) => promptId);
        await runInBatches(() => updateNext(accountId, ids), { signal });
      }
      after = page.at(-1) ?? after;
      return page.length > 0;
    },
    { signal },
  );

  /** Updates the next prompts, and removes them from the list once all their texts are added. Returns whether the list has more prompts. */
  async function updateNext(accountId: string, ids: string[]): Promise<boolean> {
    if (await store.updateTexts(accountId, ids.slice(0, promptsPerBatch))) ids.splice(0, promptsPerBatch);
    return ids.length > 0;
  }
}
