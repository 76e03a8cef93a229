import { latestLabel, productionLabel } from '../../../../src/contract/label-names.ts';
import { labelPattern } from '../../../../src/contract/limits.ts';
import type { Prompt } from '../../lib/types.ts';

const validLabel = new RegExp(labelPattern);

/** Returns the labels to offer: the usual labels and the labels of the prompt. */
export function offeredLabels(labels: Prompt['labels']): string[] {
  return [...new Set([productionLabel, 'staging', ...Object.keys(labels)])];
}

/** Returns why a label cannot be set, or undefined if the label is valid. */
export function findLabelProblem(label: string): string | undefined {
  if (label === latestLabel) return 'latest is always the newest version and cannot be set.';
  if (validLabel.test(label)) return undefined;
  return 'Use up to 50 lowercase letters, digits, dots, dashes and underscores. Start and end with a letter or digit.';
}
