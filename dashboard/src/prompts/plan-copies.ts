import type { Dependent } from '../lib/types.ts';

/**
 * Which versions to save again, oldest first, so that the copy of the latest version is the latest again: the latest one, and those
 * whose labels move. If only older ones are copied, the latest is saved once more, because `latest` must not go back.
 */
export function planCopies(
  { includes }: Pick<Dependent, 'includes'>,
  latestVersion: number,
  moved: ReadonlySet<string>,
): { version: number; labels: string[] }[] {
  const labels = new Map(includes.map((include) => [include.version, include.labels.filter((label) => moved.has(label))]));
  const copies = [...labels]
    .map(([version, own]) => ({ version, labels: own }))
    .filter((copy) => copy.version === latestVersion || copy.labels.length > 0)
    .sort((a, b) => a.version - b.version);
  const last = copies.at(-1);
  return last && last.version !== latestVersion ? [...copies, { version: latestVersion, labels: [] }] : copies;
}
