import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findScheduleViolations, type ScheduledMove } from './schedule-history.ts';

const waiting: ScheduledMove = { isConfirmed: true, state: 'scheduled', entries: 0, events: 0 };
const applied: ScheduledMove = { isConfirmed: true, state: 'applied', entries: 1, events: 1 };

describe('findScheduleViolations', () => {
  it('accepts moves that happened once, that happened during the reads, and that have not happened yet', () => {
    const unconfirmed = { ...waiting, isConfirmed: false, state: undefined };
    const right = [waiting, applied, unconfirmed, { ...waiting, entries: 1, events: 1 }, { ...waiting, events: 1 }];
    assert.deepEqual(findScheduleViolations(right), []);
    assert.deepEqual(findScheduleViolations([applied, unconfirmed], { isEnd: true }), []);
  });

  const wrong: [string, ScheduledMove, string][] = [
    ['a move that happened twice', { ...applied, entries: 2 }, '2 entries of one scheduled move'],
    ['a move with two events', { ...applied, events: 2 }, '2 events of one scheduled move'],
    ['a confirmed proposal that is gone', { ...waiting, state: undefined }, 'a scheduled move that was lost'],
    ['a lost entry', { ...applied, entries: 0 }, 'a scheduled move that was applied and is not in the history'],
    ['a lost event', { ...applied, events: 0 }, 'a scheduled move without an event'],
  ];
  for (const [name, move, violation] of wrong) it(`finds ${name}`, () => assert.deepEqual(findScheduleViolations([move]), [violation]));

  it('finds a move that did not happen until the end', () => {
    assert.deepEqual(findScheduleViolations([waiting], { isEnd: true }), ['a scheduled move that is scheduled at the end']);
  });
});
