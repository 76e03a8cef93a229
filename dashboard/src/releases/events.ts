import type { LabelRelease } from './release.ts';
import { describeArms } from './release.ts';

interface ReleaseChange {
  label: string | undefined;
  release: { arms: LabelRelease['arms']; cause?: string; automatic?: boolean } | undefined;
}

/** The verb for each kind of change to a release, in the past tense, such as "widened". */
export const releaseVerbs = {
  started: 'started',
  widened: 'widened',
  paused: 'paused',
  resumed: 'resumed',
  rolled_back: 'rolled back',
  finished: 'finished',
} as const;

export type ReleaseVerb = keyof typeof releaseVerbs;

/**
 * Returns the kind of change that a type such as `release_widened` or `release.widened` names. Returns undefined if the type is not about a
 * release.
 */
export function findReleaseVerb(type: string): ReleaseVerb | undefined {
  const verb = /^release[._](\w+)$/.exec(type)?.[1];
  return verb !== undefined && Object.hasOwn(releaseVerbs, verb) ? (verb as ReleaseVerb) : undefined;
}

/** Describes a change in words that follow the name of its author: "widened the release on production: v4 to 25%". */
export function describeReleaseChange(verb: ReleaseVerb, { label, release }: ReleaseChange): string {
  const what = `${releaseVerbs[verb]} ${verb === 'started' ? 'a' : 'the'} release on ${label}`;
  return what + describeDetail(verb, release);
}

/** Says which versions callers get now, or why the service changed the release. */
export function describeDetail(verb: ReleaseVerb, release: ReleaseChange['release']): string {
  if (!release) return '';
  if (verb === 'started' || verb === 'widened') return `: ${describeArms(release.arms)}`;
  const reason = release.cause === undefined ? undefined : reasons[release.cause];
  return reason === undefined ? '' : `: ${reason}`;
}

/** The reasons why a release was paused or rolled back, except for the decision of a person. */
export const reasons: Record<string, string> = {
  regression: 'an arm was worse than a guard allows',
  sample_ratio: 'the numbers of units do not match the shares',
  not_allowed: 'the next step needs checks or approvals',
  deleted: 'the prompt was deleted or moved to another workspace',
};
