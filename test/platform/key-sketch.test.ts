import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashKey } from '../../src/contract/release-assignment.ts';
import {
  addHash,
  countKeys,
  createSketch,
  decodeSketch,
  encodeSketch,
  type KeySketch,
  mergeSketch,
} from '../../src/platform/key-sketch.ts';

const hashOf = (index: number) => hashKey('p_1', `user-${index}`);

function sketchOf(from: number, to: number): KeySketch {
  const sketch = createSketch();
  for (let index = from; index < to; index += 1) addHash(sketch, hashOf(index));
  return sketch;
}

const shown = ({ hashes, size }: KeySketch) => [...hashes.subarray(0, size)];

describe('a sketch of keys', () => {
  it('is exact for few keys, however often each is added', () => {
    for (const count of [0, 1, 2, 100, 511, 512]) {
      const sketch = sketchOf(0, count);
      mergeSketch(sketch, sketchOf(0, count));
      assert.equal(countKeys(sketch), count);
    }
  });

  it('estimates many keys within a few percent', () => {
    for (const count of [600, 2000, 10_000, 100_000]) {
      const error = countKeys(sketchOf(0, count)) / count - 1;
      // The tolerance is four standard errors.
      assert.ok(Math.abs(error) < 0.18, `${count}: ${error}`);
    }
  });

  it('keeps the smallest hashes in order', () => {
    const all = new Set(Array.from({ length: 3000 }, (_, index) => hashOf(index)));
    assert.deepEqual(shown(sketchOf(0, 3000)), [...all].sort((a, b) => a - b).slice(0, 512));
  });

  it('merges into the sketch of both sets, in any order', () => {
    const merged = sketchOf(0, 1500);
    assert.ok(mergeSketch(merged, sketchOf(1000, 3000)));
    const other = sketchOf(1000, 3000);
    mergeSketch(other, sketchOf(0, 1500));
    assert.deepEqual(shown(merged), shown(sketchOf(0, 3000)));
    assert.deepEqual(shown(other), shown(merged));
    assert.equal(mergeSketch(merged, sketchOf(0, 1500)), false);
  });

  it('is the same after it was stored', () => {
    for (const count of [0, 1, 300, 2000]) {
      const sketch = sketchOf(0, count);
      const stored = decodeSketch(encodeSketch(sketch));
      assert.deepEqual(shown(stored), shown(sketch));
      assert.equal(countKeys(stored), countKeys(sketch));
    }
  });
});
