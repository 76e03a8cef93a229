import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Call, findViolations } from './history.ts';

function made(kind: Call['kind'], key: string, span: [number, number], outcome: Call['outcome'], newKey?: string): Call {
  return { kind, account: 'a', key, start: span[0], end: span[1], outcome, ...(newKey !== undefined && { newKey }) };
}

const birth = made('register', 'k1', [0, 10], 'accepted');
const rotation = made('rotate', 'k1', [100, 110], 'accepted', 'k2');
const lostRotation = made('rotate', 'k1', [100, 110], 'unknown');

describe('findViolations', () => {
  const scenarios: [string, Call[], string[]][] = [
    ['a correct history', [made('verify', 'k1', [20, 30], 'accepted'), rotation, made('verify', 'k1', [111, 120], 'refused')], []],
    [
      'an old key accepted after the response to its rotation',
      [rotation, made('verify', 'k1', [111, 120], 'accepted')],
      ['dead key accepted'],
    ],
    ['an old key accepted by a call that started before the response', [rotation, made('verify', 'k1', [109, 120], 'accepted')], []],
    ['a valid key refused', [made('verify', 'k1', [20, 30], 'refused'), rotation], ['living key refused']],
    ['a key refused during its rotation', [made('verify', 'k1', [90, 105], 'refused'), rotation], []],
    ['a new key refused', [rotation, made('verify', 'k2', [111, 120], 'refused')], ['living key refused']],
    ['one key rotated twice', [rotation, made('rotate', 'k1', [101, 112], 'accepted', 'k3')], ['key rotated twice']],
    ['a key refused after a rotation without a response', [lostRotation, made('verify', 'k1', [111, 120], 'refused')], []],
    ['a key accepted after a rotation without a response', [lostRotation, made('verify', 'k1', [111, 120], 'accepted')], []],
    [
      'a key accepted after a log-in has shown its successor',
      [lostRotation, made('log in', 'k2', [120, 130], 'accepted'), made('verify', 'k1', [131, 140], 'accepted')],
      ['dead key accepted'],
    ],
    ['an acknowledged key that is lost', [rotation, made('log in', 'k1', [120, 130], 'accepted')], ['dead key accepted']],
    ['a rotation of an unknown key', [made('rotate', 'k9', [20, 30], 'accepted', 'k10')], ['unknown key shown']],
  ];
  for (const [name, calls, rules] of scenarios) {
    it(`${rules.length > 0 ? 'catches' : 'passes'} ${name}`, () => {
      assert.deepEqual(
        findViolations([birth, ...calls]).map(({ rule }) => rule),
        rules,
      );
    });
  }
});
