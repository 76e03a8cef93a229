import { fullWeight } from '../../../src/contract/release-assignment.ts';
import type { ReleaseProgress } from '../../../src/contract/release-progress.ts';
import type { ChangedRelease, Prompt } from '../lib/types.ts';

/** The last release of a label, in the form that a list of prompts contains. */
export type LabelRelease = NonNullable<Prompt['releases']>[string];
/** A release with its numbers, which are absent until the service has measured them. */
export type Release = ChangedRelease & { progress?: ReleaseProgress };
export type Arm = LabelRelease['arms'][number];
export type Guard = Release['guards'][number];
export type GuardResult = ReleaseProgress['guards'][number];

/** The text and the color of each state of a release. */
export const releaseStates = {
  running: { text: 'running', tone: 'accent' },
  paused: { text: 'paused', tone: 'warn' },
  rolled_back: { text: 'rolled back', tone: 'danger' },
  finished: { text: 'finished', tone: 'neutral' },
} as const;

const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 });

/** Formats a weight in ten-thousandths as "5%". */
export const formatWeight = (weight: number) => share.format(weight / fullWeight);

/** Describes who gets which version: "v4 to 5%". */
export function describeArms(arms: readonly Arm[]): string {
  return arms.map(({ version, weight }) => `v${version} to ${formatWeight(weight)}`).join(', ');
}

/** Returns the weight of the control, which gets all callers that the arms do not get. */
export function controlWeight(arms: readonly Arm[]): number {
  return fullWeight - arms.reduce((sum, { weight }) => sum + weight, 0);
}

/** Returns whether a release still divides the callers of its label. */
export function isActive<R extends { state: LabelRelease['state'] }>(release: R | undefined): release is R {
  return release?.state === 'running' || release?.state === 'paused';
}

/** Returns the release that divides the callers of a label. Undefined if all callers get the version at the label. */
export function activeRelease({ releases }: Pick<Prompt, 'releases'>, label: string): LabelRelease | undefined {
  const release = releases?.[label];
  return isActive(release) ? release : undefined;
}
