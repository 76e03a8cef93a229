// Separate from labels.ts, so that the dashboard can import these without TypeBox.

import { labelPattern } from './limits.ts';

/** Given to the first version of a new prompt, and served when a request names no label or version. */
export const productionLabel = 'production';

const pattern = new RegExp(labelPattern);

export function isLabel(text: string): boolean {
  return pattern.test(text);
}

/** Always points at the newest version; it cannot be moved. */
export const latestLabel = 'latest';

/** Where a template includes a fixed version of a prompt, in place of a label. No label looks like it. */
export function pinOf(version: number): string {
  return `@${version}`;
}

/** The version that a pin names, or undefined for a label. */
export function findPinnedVersion(label: string): number | undefined {
  return /^@[1-9]\d{0,8}$/.test(label) ? Number(label.slice(1)) : undefined;
}
