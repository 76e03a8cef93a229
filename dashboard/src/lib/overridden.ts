import type { HistoryEntry } from './types.ts';

/** Says which rules an override bypassed. Entries from earlier releases do not contain this. */
export function describeOverridden(overridden: HistoryEntry['overridden']): string {
  const missing = [overridden?.includes('approval') && 'approval', overridden?.includes('checks') && 'passing checks'].filter(Boolean);
  return missing.length === 0 ? 'by an override' : `without ${missing.join(' and ')}`;
}
