import type { Prompt } from '../../lib/types.ts';

/** The numbers of a prompt's versions, newest first, without the deleted ones. */
export function versionsOf({ latestVersion, deletedVersions = [] }: Prompt): number[] {
  const deleted = new Set(deletedVersions);
  return Array.from({ length: latestVersion }, (_, index) => latestVersion - index).filter((version) => !deleted.has(version));
}

/** The version before another one, or that one itself if it is the first. */
export function previousOf(prompt: Prompt, version: number): number {
  return versionsOf(prompt).find((other) => other < version) ?? version;
}

/** The number that the next version gets: none is used again. */
export function nextVersionOf({ latestVersion, deletedVersions = [] }: Prompt): number {
  return Math.max(latestVersion, deletedVersions.at(-1) ?? 0) + 1;
}
