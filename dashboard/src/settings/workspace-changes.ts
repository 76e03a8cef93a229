import type { AccountEvent, ProposalRule } from '../lib/types.ts';

/**
 * Describes what was changed in the settings of a workspace. Entries that an earlier version of the service wrote do not contain the
 * previous values.
 */
export function describeChange(detail: AccountEvent['detail']): string {
  if (!detail) return 'Workspace settings changed';
  const { name, protectedLabels, gatedLabels, labelRules, dailyBudget, previous = {} } = detail;
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
    ...describeRules(labelRules, previous.labelRules),
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

function describeRules(rules: Rules, before: Rules): string[] {
  const { added, changed, removed } = findRuleChanges(rules, before);
  return [
    ...added.map((label) => `Label ${label} requires proposals`),
    ...changed.map((label) => `Proposal rule for label ${label} changed`),
    ...removed.map((label) => `Label ${label} no longer requires proposals`),
  ];
}

type Rules = Record<string, ProposalRule> | undefined;

/** Finds the labels whose proposal rules were added, changed or removed. */
export function findRuleChanges(rules: Rules, before: Rules): { added: string[]; changed: string[]; removed: string[] } {
  if (!rules || !before) return { added: [], changed: [], removed: [] };
  const isChanged = (label: string) => JSON.stringify(rules[label]) !== JSON.stringify(before[label]);
  const labels = Object.keys(rules);
  return {
    added: labels.filter((label) => !Object.hasOwn(before, label)),
    changed: labels.filter((label) => Object.hasOwn(before, label) && isChanged(label)),
    removed: Object.keys(before).filter((label) => !Object.hasOwn(rules, label)),
  };
}

/** Finds the labels that were added and removed. Both lists are empty if the changes are not known. */
export function findLabelChanges(labels: string[] | undefined, before: string[] | undefined): { added: string[]; removed: string[] } {
  if (!labels || !before) return { added: [], removed: [] };
  return {
    added: labels.filter((label) => !before.includes(label)),
    removed: before.filter((label) => !labels.includes(label)),
  };
}
