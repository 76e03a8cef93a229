import type { ReadRelease, ReportedRelease } from '../../contract/period-releases.ts';
import type { ReleaseRecord } from '../../store/prompts/releases.ts';
import type { WithStore } from '../../store/store.ts';
import { type Range, toCounted } from '../statistics/time-range.ts';
import { measureArms } from './release-measurement.ts';
import { sumReads } from './release-reads.ts';

interface Period {
  accountId: string;
  promptId: string;
  range: Range;
  /** If set, only the release of this label is listed. */
  label?: string | undefined;
}

/** Lists the releases of a prompt that overlap a range, with their reads in the range. */
export async function listReadReleases({ store }: WithStore, period: Period): Promise<ReadRelease[]> {
  const releases = await findReleases(store, period);
  return Promise.all(releases.map((release) => addReads({ store }, period, { release, arms: listArms(release) })));
}

/** Lists the releases of a prompt that overlap a range, with their reads in the range and the results of their current stage. */
export async function listReportedReleases({ store }: WithStore, period: Period): Promise<ReportedRelease[]> {
  const releases = await findReleases(store, period);
  return Promise.all(
    releases.map(async (release) => {
      const results = await store.statistics.readReleaseResults({ ...toKey(release), stage: release.stage, scores: [] });
      return addReads({ store }, period, { release, arms: measureArms(release, results).arms });
    }),
  );
}

async function findReleases(store: WithStore['store'], { accountId, promptId, range, label }: Period): Promise<ReleaseRecord[]> {
  const [from, to] = [range.from.toISOString(), range.to.toISOString()];
  return (await store.releases.list(accountId, [promptId]))
    .filter(({ startedAt, endedAt }) => startedAt < to && (endedAt === null || endedAt >= from))
    .filter((release) => label === undefined || release.label === label)
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt) || a.label.localeCompare(b.label));
}

const toKey = ({ accountId, split }: ReleaseRecord) => ({ accountId, releaseId: split.id });
const listArms = (release: ReleaseRecord) => measureArms(release, []).arms.map(({ arm, version, weight }) => ({ arm, version, weight }));

async function addReads<Arm extends { version: number }>(
  { store }: WithStore,
  { range }: Period,
  { release, arms }: { release: ReleaseRecord; arms: Arm[] },
) {
  const { from, to } = toCounted(range);
  const { readsWithoutKey, readsOf } = sumReads(await store.statistics.readReleaseReads({ ...toKey(release), range: { from, to } }));
  const { label, state, startedAt, changedAt, endedAt } = release;
  return {
    ...{ id: release.split.id, label, state, startedAt, changedAt, endedAt, readsWithoutKey },
    arms: arms.map((arm) => ({ ...arm, reads: readsOf(arm.version) })),
  };
}
