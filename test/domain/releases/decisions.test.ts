import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assign, type Split } from '../../../src/contract/release-assignment.ts';
import { chooseVersion } from '../../../src/domain/releases/release-choice.ts';
import { readCallerUrl } from '../../../src/http/responses/caller.ts';
import { randomKeys } from '../../support/random-keys.ts';

const split: Split = {
  id: 'rel_1',
  salt: 'rel_mhz1k3p0_0005f0c9a7e21d4b836',
  control: 1,
  arms: [
    { version: 2, weight: 1234 },
    { version: 3, weight: 3333 },
  ],
  rules: [],
};

/** Computes MurmurHash3 with large integers, without any code of the service. */
function referenceHash(text: string): bigint {
  const mask = 0xffffffffn;
  const multiply = (a: bigint, b: bigint) => (a * b) & mask;
  const rotate = (a: bigint, bits: bigint) => ((a << bits) | (a >> (32n - bits))) & mask;
  const scramble = (word: bigint) => multiply(rotate(multiply(word, 0xcc9e2d51n), 15n), 0x1b873593n);
  const bytes = Buffer.from(text);
  let hash = 0n;
  for (let start = 0; start < bytes.length; start += 4) {
    const part = bytes.subarray(start, start + 4);
    const word = part.reduce((sum, byte, index) => sum | (BigInt(byte) << BigInt(8 * index)), 0n);
    hash ^= scramble(word);
    if (part.length === 4) hash = (rotate(hash, 13n) * 5n + 0xe6546b64n) & mask;
  }
  hash ^= BigInt(bytes.length);
  hash = multiply(hash ^ (hash >> 16n), 0x85ebca6bn);
  hash = multiply(hash ^ (hash >> 13n), 0xc2b2ae35n);
  return hash ^ (hash >> 16n);
}

function referenceVersion(key: string): number {
  const bucket = (referenceHash(`${split.salt}:${key}`) * 10_000n) >> 32n;
  if (bucket < 1234n) return 2;
  return bucket < 1234n + 3333n ? 3 : 1;
}

describe('the decision of the service', () => {
  it('equals the result of assign for 100,000 random keys, however they are sent', () => {
    let index = 0;
    for (const key of randomKeys(100_000)) {
      const encoded = encodeURIComponent(key);
      const query = [`label=production&key=${encoded}`, `key=${encoded.replaceAll('%20', '+')}`, `k%65y=${encoded}&ctx.plan=pro`][
        index % 3
      ];
      const read = readCallerUrl(`/api/prompts/a?${query}`);
      assert.equal(read?.caller.key, key);
      const expected = assign(split, { key });
      const { version, reason, release } = chooseVersion(split, read.caller);
      assert.deepEqual({ version, reason }, expected);
      assert.deepEqual(release, { id: 'rel_1', arm: version === 1 ? 'control' : `v${version}`, reason: 'SPLIT' });
      index += 1;
    }
    assert.equal(index, 100_000);
  });

  it('equals the result of another implementation of the hash', () => {
    for (const key of randomKeys(5000)) assert.equal(assign(split, { key }).version, referenceVersion(key), JSON.stringify(key));
    for (const key of ['x'.repeat(1000), '😀'.repeat(500), 'ü'.repeat(3000)])
      assert.equal(assign(split, { key }).version, referenceVersion(key));
  });
});
