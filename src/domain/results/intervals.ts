/** The quantile of the normal distribution for intervals that contain the true value in 95% of cases. */
const z = 1.96;

export interface Interval {
  low: number;
  high: number;
}

/** Returns Wilson's interval of a share, which is also correct for few calls and for shares near 0 and 1. */
export function intervalOfShare(count: number, total: number, quantile = z): Interval {
  const share = count / total;
  const square = quantile * quantile;
  const scale = 1 + square / total;
  const center = share + square / (2 * total);
  const half = quantile * Math.sqrt((share * (1 - share)) / total + square / (4 * total * total));
  return { low: Math.max(0, (center - half) / scale), high: Math.min(1, (center + half) / scale) };
}

/**
 * Returns the buckets between which a percentile of durations lies. The bounds are the buckets of the calls whose ranks are the ends of the
 * interval, so nothing is assumed about the distribution of durations. `high` is infinite if there are too few calls for an upper bound.
 */
export function intervalOfPercentile(counts: Map<number, number>, share: number, quantile = z): Interval {
  const buckets = [...counts].sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, calls]) => sum + calls, 0);
  const half = quantile * Math.sqrt(total * share * (1 - share));
  return { low: bucketAt(Math.max(1, Math.floor(total * share - half))), high: bucketAt(Math.ceil(total * share + half)) };

  function bucketAt(rank: number): number {
    let left = rank;
    for (const [bucket, calls] of buckets) {
      left -= calls;
      if (left <= 0) return bucket;
    }
    return Number.POSITIVE_INFINITY;
  }
}

/** Returns the interval of a mean, or undefined for fewer than two values. */
export function intervalOfMean({ count, total, squares }: { count: number; total: number; squares: number }): Interval | undefined {
  if (count < 2) return undefined;
  const mean = total / count;
  // Rounding can make the difference slightly negative.
  const variance = Math.max(0, squares - count * mean * mean) / (count - 1);
  const half = z * Math.sqrt(variance / count);
  return { low: mean - half, high: mean + half };
}
