import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from '../../src/domain/ids.ts';
import { freezeClock } from '../support/clock.ts';

describe('newId', () => {
  it('starts with its prefix, followed by segments separated by _', () => {
    assert.match(newId('u'), /^u_[0-9a-z]{8,}_[0-9a-z]{3}[0-9a-f]{16}$/);
    assert.match(newId('s'), /^s_/);
  });

  it('is unique, even within a millisecond', (t) => {
    freezeClock(t);
    assert.equal(new Set(Array.from({ length: 10_000 }, () => newId('u'))).size, 10_000);
  });

  it('sorts by time', (t) => {
    const clock = freezeClock(t);
    const ids: string[] = [];
    for (let count = 0; count < 200; count += 1) {
      ids.push(newId('u'));
      clock.advance(1 + count * 1000);
    }
    assert.deepEqual(ids.toSorted(), ids);
  });

  it('sorts in the order of creation, even within a millisecond', (t) => {
    freezeClock(t);
    const ids = Array.from({ length: 2000 }, () => newId('e'));
    assert.deepEqual(ids.toSorted(), ids);
  });
});
