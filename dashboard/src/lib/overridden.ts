import type { HistoryEntry } from './types.ts';

/** Says which rules an override bypassed. History entries that an earlier version of the service wrote do not name the rules. */
export function describeOverridden(overridden: HistoryEntry['overridden']): string {
  const missing = [overridden?.includes('approval') && 'approval', overridden?.includes('checks') && 'passing checks'].filter(Boolean);
  return missing.length === 0 ? 'by an override' : `without ${missing.join(' and ')}`;
}
