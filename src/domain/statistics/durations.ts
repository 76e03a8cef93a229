/**
 * Durations are counted in buckets whose bounds grow by a fifth: few enough to store by the hour, and a figure read back
 * from them (the middle of its bucket) is within 10% of the exact one. Below 0.05 ms all is one bucket; past two minutes too.
 */
const shortestMs = 0.05;
const growth = 1.2;
const lastBucket = 81;
const logGrowth = Math.log(growth);

/** The bucket a duration is counted in. */
export function bucketOf(durationMs: number): number {
  if (!(durationMs > shortestMs)) return 0;
  return Math.min(lastBucket, Math.ceil(Math.log(durationMs / shortestMs) / logGrowth));
}

/** The duration a bucket stands for: as far, in proportion, from its lower bound as from its upper one. */
export function durationOf(bucket: number): number {
  return bucket === 0 ? shortestMs : shortestMs * growth ** (bucket - 0.5);
}

/** The durations that the given shares (0 to 1) of all calls did not exceed, or null when there were no calls. */
export function percentiles(counts: Map<number, number>, shares: number[]): (number | null)[] {
  const buckets = [...counts].sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, calls]) => sum + calls, 0);
  return shares.map((share) => {
    let rank = Math.max(1, Math.ceil(share * total));
    for (const [bucket, calls] of buckets) {
      rank -= calls;
      if (rank <= 0) return round(durationOf(bucket));
    }
    return null;
  });
}

function round(durationMs: number): number {
  return Number(durationMs.toPrecision(4));
}
