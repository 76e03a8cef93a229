import { releaseUnitDays } from '../../contract/limits.ts';
import type { StageKey } from '../../store/statistics/release-units.ts';
import type { WithStore } from '../../store/store.ts';
import { runInBatches } from '../batches.ts';

const dayMs = 24 * 60 * 60 * 1000;
const stagePage = 500;

/**
 * Deletes the units of a workspace's releases that no longer exist or ended long ago, and the units of earlier stages of current releases.
 */
export async function deleteOutdatedStages({ store }: WithStore, accountId: string, now: Date, signal?: AbortSignal): Promise<void> {
  const endedBefore = new Date(now.getTime() - releaseUnitDays * dayMs).toISOString();
  let after: StageKey | undefined;
  await runInBatches(
    async () => {
      const stages = await store.statistics.listStages(accountId, after, stagePage);
      const releases = await store.releases.findStages(accountId, [...new Set(stages.map(({ releaseId }) => releaseId))]);
      for (const key of stages) {
        const release = releases.get(key.releaseId);
        const isKept = release && key.stage >= release.stage && (release.endedAt ?? endedBefore) >= endedBefore;
        if (!isKept) await runInBatches(() => store.statistics.deleteStage(key), { signal });
      }
      after = stages.at(-1);
      return stages.length === stagePage;
    },
    { signal },
  );
}
