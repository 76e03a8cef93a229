import type { ReleaseProgress } from '../../contract/release-progress.ts';
import type { Release } from '../../contract/releases.ts';
import type { ReleaseRecord } from '../../store/prompts/releases.ts';
import type { ArmResults } from '../../store/statistics/release-results.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import type { WithReports } from '../statistics/statistics.ts';
import { describeNext } from './release-decision.ts';
import { type Measurement, measureArms } from './release-measurement.ts';
import { type Reads, sumReads } from './release-reads.ts';
import { toRelease } from './release-states.ts';
import { getRelease, type LabelOfPrompt } from './releases.ts';

interface ReleaseKey {
  accountId: string;
  releaseId: string;
}

/** Reads what programs reported about a release, and how often its versions were read. */
export interface ReleaseReaders {
  /** Reads the results of a stage, including the results of the given scores. */
  readReleaseResults(query: ReleaseKey & { stage: number; scores: string[] }): Promise<ArmResults[]>;
  /** Reads the numbers of reads since the start of the release. */
  readReleaseReads(query: ReleaseKey): Promise<Reads[]>;
}

/** Returns the last release of a label with its progress. The release may have ended. */
export async function getProgress(
  ctx: WithStore & WithReports,
  readers: ReleaseReaders,
  actor: Actor,
  choice: LabelOfPrompt,
): Promise<Release> {
  const release = await getRelease(ctx, actor, choice);
  const { measured, reads } = await ctx.reports.run(actor.workspaceId, async () => ({
    measured: await measure(readers, release),
    reads: await readers.readReleaseReads(toKey(release)),
  }));
  return { ...toRelease(release), progress: toProgress(release, { measured, reads }) };
}

/** Measures the current stage of a release. */
export async function measure(
  { readReleaseResults }: Pick<ReleaseReaders, 'readReleaseResults'>,
  release: ReleaseRecord,
): Promise<Measurement> {
  const { plan, stage } = release;
  const metrics = [...plan.guards.map(({ metric }) => metric), ...(plan.metric === null ? [] : [plan.metric])];
  const scores = new Set(metrics.filter((metric) => metric.startsWith(scorePrefix)).map((metric) => metric.slice(scorePrefix.length)));
  return measureArms(release, await readReleaseResults({ ...toKey(release), stage, scores: [...scores] }));
}

const scorePrefix = 'score:';

function toKey({ accountId, split }: ReleaseRecord): ReleaseKey {
  return { accountId, releaseId: split.id };
}

function toProgress(release: ReleaseRecord, { measured, reads }: { measured: Measurement; reads: Reads[] }): ReleaseProgress {
  const { readsWithoutKey, readsOf } = sumReads(reads);
  return {
    arms: measured.arms.map((arm) => ({ ...arm, reads: readsOf(arm.version) })),
    readsWithoutKey,
    guards: measured.guards,
    metric: measured.metric,
    next: describeNext(release, measured, new Date()),
  };
}
