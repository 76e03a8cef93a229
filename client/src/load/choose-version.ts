import { maxReleaseKeyLength } from '../../../src/contract/limits.ts';
import { assign, toAssignedRelease } from '../../../src/contract/release-assignment.ts';
import { PromptHarborError } from '../errors.ts';
import type { ListedPrompt, Version } from '../types.ts';

/** A release with the versions of its arms. */
export type LoadedRelease = NonNullable<ListedPrompt['release']>;

/** Says for whom a prompt is read. A release of the label uses these options to choose the version. */
export interface CallerOptions {
  /**
   * The key by which a release divides callers, such as the id of a user. The same key always gets the same version. Without a key, you get
   * the control.
   */
  key?: string | undefined;
  /** Attributes that the rules of a release use. They are not sent to the service. */
  context?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/**
 * Returns the version that a caller gets, with the reason. The client decides without a request, in the same way as the service. `labeled`
 * is the version at the label, which is the control of the release.
 */
export function chooseVersion(labeled: Version, release: LoadedRelease | undefined, caller: CallerOptions): Version {
  if (!release) return labeled;
  const assignment = assign(release, caller);
  const version = [labeled, ...release.versions].find((candidate) => candidate.version === assignment.version);
  return version ? { ...version, release: toAssignedRelease(release, assignment) } : labeled;
}

/** Returns a version without the fields about a release, because the client chooses the version by itself. */
export function withoutRelease({ release: _, ...version }: Version): Version {
  return version;
}

/** Throws for keys that the service refuses, whether or not there is a release. Otherwise, the start of a release could cause errors. */
export function assertKey(key: unknown): void {
  if (key === undefined) return;
  if (typeof key !== 'string' || key === '' || (key.length > maxReleaseKeyLength && [...key].length > maxReleaseKeyLength)) {
    throw new PromptHarborError(`A key must be a string of 1 to ${maxReleaseKeyLength} characters. Leave it out if there is none.`);
  }
}
