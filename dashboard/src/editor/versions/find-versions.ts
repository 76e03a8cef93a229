import { formatDate } from '../../lib/format.ts';
import type { HistoryEntry, Prompt } from '../../lib/types.ts';
import { isSave, labelsAt } from './use-version-titles.ts';

/** Returns the versions that contain every word in their message, author, labels, number or date. */
export function findVersions(changes: HistoryEntry[], { labels }: Prompt, text: string): HistoryEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return changes.filter((entry) => {
    if (!isSave(entry)) return false;
    const { version, message = '', by, at } = entry;
    const known = [`v${version}`, message, by.name, ...labelsAt(labels, version), formatDate(at), at.slice(0, 10)].join(' ').toLowerCase();
    return words.every((word) => known.includes(word));
  });
}
