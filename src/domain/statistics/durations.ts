/**
 * Durations are counted in buckets whose bounds grow by 20%. The buckets are few enough to be stored for every hour. They are precise
 * enough that a percentile (the middle of its bucket) is within 10% of the exact value. The first bucket ends at 0.05 ms. The last bucket
 * is open-ended and begins at 48 minutes, because models may take minutes.
 */
const shortestMs = 0.05;
const growth = 1.2;
const lastBucket = 99;
const logGrowth = Math.log(growth);

/** Returns the index of the bucket that counts a duration. */
export function bucketOf(durationMs: number): number {
  if (!(durationMs > shortestMs)) return 0;
  return Math.min(lastBucket, Math.ceil(Math.log(durationMs / shortestMs) / logGrowth));
}

/** Returns the percentiles at the given shares (0 to 1) of all calls, or null if there are no calls. */
export function percentiles(counts: Map<number, number>, shares: number[]): (number | null)[] {
  const buckets = [...counts].sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, calls]) => sum + calls, 0);
  return shares.map((share) => {
    let rank = Math.max(1, Math.ceil(share * total));
    for (const [bucket, calls] of buckets) {
      rank -= calls;
      if (rank <= 0) return Number(middleOf(bucket).toPrecision(4));
    }
    return null;
  });
}

/** Returns the geometric mean of the bucket's bounds, which makes the relative error the same in both directions. */
function middleOf(bucket: number): number {
  return bucket === 0 ? shortestMs : shortestMs * growth ** (bucket - 0.5);
}
