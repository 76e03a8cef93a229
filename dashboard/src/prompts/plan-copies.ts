import type { Dependent } from '../lib/types.ts';

/**
 * Returns which versions to save again, oldest first: the versions whose labels move, and the latest version. The latest version is always
 * saved last, because the label `latest` must not go back to older content.
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
