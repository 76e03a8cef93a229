import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sortInTurns } from '../src/event-loop.ts';

describe('sortInTurns', () => {
  it('sorts like a sort at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 3 }), { maxLength: 2000, size: 'max' }), async (texts) => {
        const before = [...texts];
        assert.deepEqual(await sortInTurns(texts), texts.toSorted());
        assert.deepEqual(texts, before, 'the given list is not changed');
      }),
      { numRuns: 50 },
    );
  });

  it('lets other work run meanwhile', async () => {
    let turns = 0;
    let isSorted = false;
    const countTurns = () => {
      turns += 1;
      if (!isSorted) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    const texts = Array.from({ length: 200_000 }, (_, index) => String((index * 7919) % 200_003));
    assert.equal((await sortInTurns(texts)).length, texts.length);
    isSorted = true;
    assert.ok(turns > 10, `${turns} turns of the event loop`);
  });
});
