import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bucketOf, percentiles } from '../../../src/domain/statistics/durations.ts';

/** Durations from 0.05 ms to half an hour, spread evenly over the orders of magnitude. */
const durationMs = fc.double({ min: Math.log(0.05), max: Math.log(1_800_000), noNaN: true }).map(Math.exp);

describe('durations in buckets', () => {
  it('give every percentile to within 10% of the exact one', () => {
    fc.assert(
      fc.property(
        fc.array(durationMs, { minLength: 1, maxLength: 300 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (durations, share) => {
          const [estimate] = percentiles(count(durations), [share]);
          const exact = exactPercentile(durations, share);
          assert.ok(estimate !== null && estimate !== undefined && Math.abs(estimate - exact) <= exact * 0.1, `${estimate} for ${exact}`);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('add up over instances: the sum of two counts has the percentiles of all calls together', () => {
    fc.assert(
      fc.property(fc.array(durationMs, { minLength: 1 }), fc.array(durationMs), (here, there) => {
        const sum = count(here);
        for (const [bucket, calls] of count(there)) sum.set(bucket, (sum.get(bucket) ?? 0) + calls);
        assert.deepEqual(percentiles(sum, [0.5, 0.95, 0.99]), percentiles(count([...here, ...there]), [0.5, 0.95, 0.99]));
      }),
    );
  });

  it('are monotonic: a longer call is in the same bucket or a later one', () => {
    fc.assert(fc.property(durationMs, durationMs, (a, b) => a > b || bucketOf(a) <= bucketOf(b)));
  });

  it('accept invalid durations without failing', () => {
    for (const odd of [0, -1, Number.NaN]) assert.equal(bucketOf(odd), 0);
    assert.ok(bucketOf(Number.POSITIVE_INFINITY) < 100);
  });

  it('have no percentiles when there are no calls', () => {
    assert.deepEqual(percentiles(new Map(), [0.5, 0.99]), [null, null]);
  });
});

function count(durations: number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const duration of durations) counts.set(bucketOf(duration), (counts.get(bucketOf(duration)) ?? 0) + 1);
  return counts;
}

/** Returns the nearest-rank percentile: the smallest duration that at least this share of the calls did not exceed. */
function exactPercentile(durations: number[], share: number): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
}
