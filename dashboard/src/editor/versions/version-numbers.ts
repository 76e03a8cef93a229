import type { Prompt } from '../../lib/types.ts';

/** Returns the numbers of a prompt's existing versions, newest first. */
export function versionsOf({ latestVersion, deletedVersions = [] }: Prompt): number[] {
  const deleted = new Set(deletedVersions);
  return Array.from({ length: latestVersion }, (_, index) => latestVersion - index).filter((version) => !deleted.has(version));
}

/** Returns the number of the previous version, or the given number if it is the first version. */
export function previousOf(prompt: Prompt, version: number): number {
  return versionsOf(prompt).find((other) => other < version) ?? version;
}

/** Returns the number of the next version. Numbers are never reused. */
export function nextVersionOf({ latestVersion, deletedVersions = [] }: Prompt): number {
  return Math.max(latestVersion, deletedVersions.at(-1) ?? 0) + 1;
}
