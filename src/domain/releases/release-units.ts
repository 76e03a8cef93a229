import { createHash } from 'node:crypto';
import { assign } from '../../contract/release-assignment.ts';
import type { ReleaseRecord } from '../../store/prompts/releases.ts';
import type { MeasuredUnit } from '../../store/statistics/result-batch.ts';

// The results of a release are counted by unit. A unit is a key, of which the service keeps only a hash.

const scorePrefix = 'score:';
/** The time after a change during which clients may still use cached weights from before the change. */
const settlingMs = 60_000;

/** Returns the hash that stands for a key in the results of a release. It is different in each release. */
export function hashUnit(releaseId: string, key: string): string {
  return createHash('sha256').update(`${releaseId}\n${key}`).digest('base64url').slice(0, 11);
}

/** Returns whether a call that started at this time certainly used the current weights. */
export function isSettled({ changedAt }: Pick<ReleaseRecord, 'changedAt'>, startedAtMs: number): boolean {
  return startedAtMs >= Date.parse(changedAt) + settlingMs;
}

/** Returns the version that the weights give to a key. The rules of the release are ignored. */
export function assignByWeights({ split }: Pick<ReleaseRecord, 'split'>, key: string): number {
  return assign({ ...split, rules: [] }, { key }).version;
}

export function toUnit({ split, stage, plan }: ReleaseRecord, { version, hash }: { version: number; hash: string }): MeasuredUnit {
  return { releaseId: split.id, stage, version, hash, scores: scoresOf(plan) };
}

/** Returns the names of the scores that a release measures. */
export function scoresOf({ metric, guards }: Pick<ReleaseRecord['plan'], 'metric' | 'guards'>): string[] {
  const measured = [metric ?? '', ...guards.map((guard) => guard.metric)].filter((name) => name.startsWith(scorePrefix));
  return [...new Set(measured.map((name) => name.slice(scorePrefix.length)))];
}
