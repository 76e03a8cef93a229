// This file is separate from labels.ts, so that the dashboard can import it without TypeBox.

import { labelPattern } from './limits.ts';

/** The label that the first version of a new prompt gets. It is used if a request specifies neither a label nor a version. */
export const productionLabel = 'production';

const pattern = new RegExp(labelPattern);

export function isLabel(text: string): boolean {
  return pattern.test(text);
}

/** The label that always points at the newest version. It cannot be moved. */
export const latestLabel = 'latest';

/** Returns the string that takes the place of a label if a template includes a fixed version of a prompt. No label has the same form. */
export function pinOf(version: number): string {
  return `@${version}`;
}

/** Returns the version that a pin names, or undefined for a label. */
export function findPinnedVersion(label: string): number | undefined {
  return /^@[1-9]\d{0,8}$/.test(label) ? Number(label.slice(1)) : undefined;
}
