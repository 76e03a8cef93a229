import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findStaleReads, type LabelRead, type Move } from './label-history.ts';

it('finds reads of a version that a label did not point at', () => {
  const move = (to: number, start: number, end: number, outcome: Move['outcome'] = 'confirmed'): Move => ({
    prompt: 'a',
    to,
    start,
    end,
    outcome,
  });
  const read = (version: number, start: number, end: number): LabelRead => ({ prompt: 'a', version, start, end });
  const moves = [move(2, 10, 20), move(3, 30, 40, 'unknown')];
  const right = [read(1, 0, 5), read(1, 15, 25), read(2, 15, 25), read(2, 50, 60), read(3, 50, 60)];
  const stale = [read(2, 0, 5), read(1, 21, 25), read(3, 21, 25), read(1, 50, 60)];
  assert.deepEqual(findStaleReads(moves, [...right, ...stale]), stale);
});
