import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Change, findMembershipViolations, type Place, type Probe } from './membership-history.ts';

const changed = (to: Place, span: [number, number], outcome: Change['outcome'] = 'confirmed'): Change => {
  return { member: 'm', to, start: span[0], end: span[1], outcome };
};
const probed = (from: Place, to: Place, span: [number, number]): Probe => ({ member: 'm', from, to, start: span[0], end: span[1] });

const joined = changed('editor', [0, 10]);
const removed = changed('stranger', [100, 110]);
const demoted = changed('viewer', [100, 110]);
const lostRemoval = changed('stranger', [100, 110], 'unknown');

describe('findMembershipViolations', () => {
  const scenarios: [string, Change[], Probe, string[]][] = [
    ['a member who is let in', [joined], probed('editor', 'editor', [20, 30]), []],
    ['a member who is let in during the removal', [joined, removed], probed('editor', 'editor', [109, 120]), []],
    ['a member who is refused during the removal', [joined, removed], probed('stranger', 'stranger', [90, 101]), []],
    ['a former member who is let in', [joined, removed], probed('viewer', 'editor', [111, 120]), ['stale accept']],
    ['a former editor who still writes', [joined, demoted], probed('editor', 'editor', [111, 120]), ['stale accept']],
    ['a former editor who still reads', [joined, demoted], probed('viewer', 'editor', [111, 120]), []],
    ['a member who is refused', [joined], probed('stranger', 'stranger', [20, 30]), ['member refused']],
    ['an editor who may not write', [joined], probed('viewer', 'viewer', [20, 30]), ['member refused']],
    ['a stranger who is let in before joining', [joined], probed('viewer', 'editor', [-20, -10]), ['stale accept']],
    ['either, after a removal without a response', [joined, lostRemoval], probed('editor', 'editor', [200, 210]), []],
    ['either, after a removal without a response', [joined, lostRemoval], probed('stranger', 'stranger', [200, 210]), []],
    [
      'a former member who is let in after the removal was repeated',
      [joined, lostRemoval, changed('stranger', [120, 130])],
      probed('editor', 'editor', [200, 210]),
      ['stale accept'],
    ],
  ];
  for (const [name, changes, probe, rules] of scenarios) {
    it(`${rules.length > 0 ? 'catches' : 'passes'} ${name}`, () => {
      assert.deepEqual(
        findMembershipViolations(changes, [probe]).map(({ rule }) => rule),
        rules,
      );
    });
  }
});
