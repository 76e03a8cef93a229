/** How often a release chose a version for a reason. */
export interface Reads {
  version: number;
  reason: string;
  calls: number;
}

/** Adds up the reads without a key and, for each version, the reads in which a key or a rule chose the version. */
export function sumReads(reads: Reads[]): { readsWithoutKey: number; readsOf(version: number): number } {
  const count = (isCounted: (read: Reads) => boolean) => reads.filter(isCounted).reduce((sum, { calls }) => sum + calls, 0);
  return {
    readsWithoutKey: count(({ reason }) => reason === 'NO_KEY'),
    readsOf: (wanted) => count(({ version, reason }) => version === wanted && reason !== 'NO_KEY'),
  };
}
