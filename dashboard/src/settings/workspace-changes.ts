import type { AccountEvent } from '../lib/types.ts';

/** Describes what was changed in the settings of a workspace. Entries of earlier releases do not contain the previous values. */
export function describeChange(detail: AccountEvent['detail']): string {
  if (!detail) return 'Workspace settings changed';
  const { name, protectedLabels, gatedLabels, dailyBudget, previous = {} } = detail;
  const changes = [
    ...(name === undefined ? [] : [`Workspace renamed to ${name}`]),
    ...describeLabels(protectedLabels, previous.protectedLabels, {
      on: 'is protected',
      off: 'is no longer protected',
      all: 'Protected labels',
    }),
    ...describeLabels(gatedLabels, previous.gatedLabels, {
      on: 'requires passing checks',
      off: 'no longer requires passing checks',
      all: 'Labels that require passing checks',
    }),
    ...(dailyBudget === undefined ? [] : ['Daily budget changed']),
  ];
  return changes.length === 0 ? 'Workspace settings changed' : changes.join('; ');
}

function describeLabels(
  labels: string[] | undefined,
  before: string[] | undefined,
  words: { on: string; off: string; all: string },
): string[] {
  if (!labels) return [];
  if (!before) return [`${words.all}: ${labels.join(', ') || 'none'}`];
  const { added, removed } = findLabelChanges(labels, before);
  return [...added.map((label) => `Label ${label} ${words.on}`), ...removed.map((label) => `Label ${label} ${words.off}`)];
}

/** Finds the labels that were added and removed. Both lists are empty if the changes are not known. */
export function findLabelChanges(labels: string[] | undefined, before: string[] | undefined): { added: string[]; removed: string[] } {
  if (!labels || !before) return { added: [], removed: [] };
  return {
    added: labels.filter((label) => !before.includes(label)),
    removed: before.filter((label) => !labels.includes(label)),
  };
}
