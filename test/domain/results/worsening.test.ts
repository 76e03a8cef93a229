import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { intervalOfPercentile } from '../../../src/domain/results/intervals.ts';
import { findWorsenings, type VersionCalls } from '../../../src/domain/results/worsening.ts';
import { bucketOf } from '../../../src/domain/statistics/durations.ts';
import { createRandom, type Random } from '../../support/random.ts';

function noCalls(): VersionCalls {
  return { calls: 0, errors: 0, durations: new Map() };
}

/** Adds calls to a version. A share of them fails, and the durations of the others are spread widely around a median. */
function addCalls(version: VersionCalls, random: Random, { calls = 0, errorRate = 0, medianMs = 100 }): VersionCalls {
  const next = () => (random.below(2 ** 30) + 1) / 2 ** 30;
  for (let index = 0; index < calls; index += 1) {
    version.calls += 1;
    if (next() < errorRate) {
      version.errors += 1;
      continue;
    }
    const normal = Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
    const bucket = bucketOf(medianMs * Math.exp(0.8 * normal));
    version.durations.set(bucket, (version.durations.get(bucket) ?? 0) + 1);
  }
  return version;
}

/** Returns calls that all take the same time, some of which fail. */
function evenCalls({ calls = 0, errors = 0, durationMs = 100 }): VersionCalls {
  return { calls, errors, durations: new Map([[bucketOf(durationMs), calls - errors]]) };
}

describe('findWorsenings', () => {
  it('finds nothing in 200 looks at two versions that are the same, for any seed', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = createRandom(seed);
      const [current, previous] = [noCalls(), noCalls()];
      for (let look = 0; look < 200; look += 1) {
        for (const version of [current, previous]) addCalls(version, random, { calls: 20, errorRate: 0.05 });
        assert.deepEqual(findWorsenings(current, previous), [], `seed ${seed}, look ${look}`);
      }
    }
  });

  it('finds 10% of errors instead of 1% within 1000 calls, and no other difference', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = createRandom(seed);
      const previous = addCalls(noCalls(), random, { calls: 1000, errorRate: 0.01 });
      const current = addCalls(noCalls(), random, { calls: 1000, errorRate: 0.1 });
      const found = findWorsenings(current, previous);
      assert.deepEqual(
        found.map(({ metric }) => metric),
        ['errors'],
        `seed ${seed}`,
      );
      assert.deepEqual(found[0], { metric: 'errors', current: current.errors / 1000, previous: previous.errors / 1000, calls: 1000 });
      assert.deepEqual(findWorsenings(previous, current), [], 'fewer errors are not worse');
    }
  });

  it('finds durations that have doubled within 5000 calls, and no other difference', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = createRandom(seed);
      const previous = addCalls(noCalls(), random, { calls: 5000, errorRate: 0.01, medianMs: 100 });
      const current = addCalls(noCalls(), random, { calls: 5000, errorRate: 0.01, medianMs: 200 });
      const [found, ...others] = findWorsenings(current, previous);
      assert.deepEqual([found?.metric, found?.calls, others], ['p95', current.calls - current.errors, []], `seed ${seed}`);
      const ratio = (found?.current ?? 0) / (found?.previous ?? 1);
      assert.ok(ratio > 1.5 && ratio < 2.7, String(ratio));
      assert.deepEqual(findWorsenings(previous, current), [], 'faster is not worse');
    }
  });

  it('needs 50 calls of each version', () => {
    const good = evenCalls({ calls: 1000 });
    assert.deepEqual(findWorsenings(evenCalls({ calls: 49, errors: 49 }), good), []);
    assert.equal(findWorsenings(evenCalls({ calls: 50, errors: 50 }), good)[0]?.metric, 'errors');
    assert.deepEqual(findWorsenings(evenCalls({ calls: 1000, errors: 1000 }), evenCalls({ calls: 49 })), []);
    const slow = evenCalls({ calls: 1000, durationMs: 1000 });
    assert.deepEqual(findWorsenings(slow, evenCalls({ calls: 49 })), []);
    assert.deepEqual(findWorsenings(noCalls(), good), []);
    assert.deepEqual(findWorsenings(good, noCalls()), []);
  });

  it('the percentile of the previous version has an upper bound only after about 300 calls', () => {
    const slow = evenCalls({ calls: 1000, durationMs: 1000 });
    assert.deepEqual(findWorsenings(slow, evenCalls({ calls: 300 })), []);
    assert.equal(findWorsenings(slow, evenCalls({ calls: 310 }))[0]?.metric, 'p95');
  });

  it('values that hardly differ are the same, even if they are in different buckets and there are millions of calls', () => {
    const bucket = bucketOf(100);
    const inBucket = (index: number): VersionCalls => ({ calls: 1e7, errors: 0, durations: new Map([[index, 1e7]]) });
    assert.deepEqual(findWorsenings(inBucket(bucket + 1), inBucket(bucket)), []);
    assert.equal(findWorsenings(inBucket(bucket + 2), inBucket(bucket))[0]?.metric, 'p95');
  });
});

describe('intervalOfPercentile', () => {
  it('returns the buckets of the calls at the ends of the interval', () => {
    // There is one call in each bucket from 1 to 10,000.
    const counts = new Map(Array.from({ length: 10_000 }, (_, index) => [index + 1, 1]));
    // The standard deviation of the rank is sqrt(10000 · 0.95 · 0.05), which is 21.8.
    assert.deepEqual(intervalOfPercentile(counts, 0.95, 4), { low: 9412, high: 9588 });
    assert.deepEqual(intervalOfPercentile(counts, 0.5, 2), { low: 4900, high: 5100 });
  });

  it('has no upper bound for few calls, and starts at the first call', () => {
    assert.deepEqual(intervalOfPercentile(new Map([[7, 20]]), 0.95, 4), { low: 7, high: Number.POSITIVE_INFINITY });
    assert.deepEqual(intervalOfPercentile(new Map([[7, 1]]), 0.05, 4), { low: 7, high: 7 });
  });
});
