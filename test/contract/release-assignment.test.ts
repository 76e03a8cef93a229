import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assign, bucketOf, hashKey, murmurHash3, type Split } from '../../src/contract/release-assignment.ts';

const split: Split = { id: 'rel_1', salt: 'rel_1', control: 1, arms: [{ version: 2, weight: 1000 }], rules: [] };
const keys = Array.from({ length: 5000 }, (_, index) => `user-${index}`);

describe('the hash', () => {
  it('has the published values', () => {
    const hash = (text: string) => murmurHash3(new TextEncoder().encode(text));
    assert.deepEqual([hash(''), hash('hello')], [0, 613153351]);
    // These values come from other implementations of MurmurHash3. The texts cover every length of the last word.
    assert.deepEqual(['a', 'ab', 'abc', 'abcd', 'abcde'].map(hash), [1009084850, 2613040991, 3017643002, 1139631978, 3902511862]);
    const published = [
      ['user-1', 236490771, 550],
      ['user-2', 1489328669, 3467],
      ['Zoë', 3599984385, 8381],
      ['😀', 941294545, 2191],
    ] as const;
    for (const [key, expected, bucket] of published) assert.deepEqual([hashKey('rel_1', key), bucketOf('rel_1', key)], [expected, bucket]);
  });

  it('spreads keys evenly over 20 parts', () => {
    const parts = new Map<number, number>();
    const total = 30_000;
    for (let index = 0; index < total; index += 1) {
      const part = Math.floor(bucketOf('rel_1', `user-${index}`) / 500);
      parts.set(part, (parts.get(part) ?? 0) + 1);
    }
    const expected = total / 20;
    const chiSquare = [...parts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // A fair hash exceeds 43.8 in 1 of 1,000 cases.
    assert.ok(parts.size === 20 && chiSquare < 43.8, `chi-square ${chiSquare}`);
  });
});

describe('assign', () => {
  it('gives an arm as many keys as its weight says, and the control the rest', () => {
    const inArm = keys.filter((key) => assign(split, { key }).version === 2).length;
    assert.ok(inArm > 400 && inArm < 600, String(inArm));
  });

  it('never gives a key the control again when arms are widened', () => {
    let weights = [0, 0, 0];
    let before = keys.map(() => 1);
    const steps = [
      [100, 0, 0],
      [100, 500, 0],
      [700, 500, 40],
      [700, 3000, 40],
      [2500, 3000, 3000],
      [2500, 3000, 4500],
    ];
    for (const step of steps) {
      assert.ok(step.every((weight, index) => weight >= (weights[index] ?? 0)));
      const wider = { ...split, arms: step.map((weight, index) => ({ version: index + 2, weight })) };
      const now = keys.map((key) => assign(wider, { key }).version);
      assert.deepEqual(
        keys.filter((_, index) => before[index] !== 1 && now[index] === 1),
        [],
      );
      weights = step;
      before = now;
    }
    assert.ok(before.every((version) => version !== 1));
  });

  it('keeps every key of a single arm when it is widened', () => {
    for (const weight of [1001, 2500, 5000, 9999, 10_000]) {
      const wider = { ...split, arms: [{ version: 2, weight }] };
      for (const key of keys) if (assign(split, { key }).version === 2) assert.equal(assign(wider, { key }).version, 2);
    }
  });

  it('uses the first rule that matches, even without a key, and otherwise gives a caller without a key the control', () => {
    const rules: Split['rules'] = [
      { if: { plan: ['internal', 'beta'], region: ['eu'] }, version: 2 },
      { if: { key: ['user-7'] }, version: 2 },
      { if: { plan: ['internal'] }, version: 1 },
    ];
    const choose = (caller: Parameters<typeof assign>[1]) => assign({ ...split, arms: [{ version: 2, weight: 0 }], rules }, caller);
    assert.deepEqual(choose({ context: { plan: 'beta', region: 'eu' } }), { version: 2, reason: 'RULE' });
    assert.deepEqual(choose({ key: 'user-7' }), { version: 2, reason: 'RULE' });
    assert.deepEqual(choose({ key: 'user-8', context: { plan: 'internal' } }), { version: 1, reason: 'RULE' });
    assert.deepEqual(choose({ key: 'user-8', context: { plan: 'beta' } }), { version: 1, reason: 'SPLIT' });
    assert.deepEqual(choose({ context: { plan: 'beta' } }), { version: 1, reason: 'NO_KEY' });
  });

  it('reads lone surrogates as the replacement character, as a URL does', () => {
    const rules: Split['rules'] = [
      { if: { key: ['vip-\ufffd'] }, version: 2 },
      { if: { plan: ['\ufffd'] }, version: 2 },
    ];
    for (const key of ['a\ud800', '\udc00b', 'vip-\ud800', 'c']) {
      const sent = new URLSearchParams({ key }).get('key') ?? '';
      assert.equal(bucketOf('rel_1', key), bucketOf('rel_1', sent));
      assert.deepEqual(assign({ ...split, rules }, { key }), assign({ ...split, rules }, { key: sent }));
    }
    assert.deepEqual(assign({ ...split, rules }, { key: 'vip-\ud800' }), { version: 2, reason: 'RULE' });
    assert.deepEqual(assign({ ...split, rules }, { context: { plan: '\udfff' } }), { version: 2, reason: 'RULE' });
  });

  it('compares numbers and booleans as text, and ignores other values and inherited properties', () => {
    const versionFor = (name: string, value: string, context: Record<string, unknown>) =>
      assign({ ...split, rules: [{ if: { [name]: [value] }, version: 2 }] }, { context }).version;
    assert.equal(versionFor('seats', '5', { seats: 5 }), 2);
    assert.equal(versionFor('beta', 'true', { beta: true }), 2);
    assert.equal(versionFor('list', 'a', { list: ['a'] }), 1);
    assert.equal(versionFor('nothing', 'null', { nothing: null }), 1);
    assert.equal(versionFor('toString', String(Object.prototype.toString), {}), 1);
    assert.equal(versionFor('__proto__', '[object Object]', {}), 1);
  });
});
