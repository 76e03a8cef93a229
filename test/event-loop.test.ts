import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurnstile, yieldIfLong } from '../src/platform/event-loop.ts';

describe('yieldIfLong', () => {
  /** How many turns of the event loop begin before the promise is resolved. */
  async function countTurns(promise: Promise<void>): Promise<number> {
    let turns = 0;
    let isResolved = false;
    const resolved = promise.then(() => {
      isResolved = true;
    });
    // Promises that are resolved already come first.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    while (!isResolved) {
      await nextTurn();
      turns += 1;
    }
    await resolved;
    return turns;
  }

  it('leaves the more turns to others, the longer the work has taken', async (test) => {
    let now = 0;
    test.mock.method(performance, 'now', () => now);
    const work = async (ms: number) => {
      await yieldIfLong();
      now += ms;
      return countTurns(yieldIfLong());
    };
    assert.equal(await work(0.9), 0);
    await nextTurn();
    const [short, long, huge] = [await work(2), await work(12), await work(1000)];
    assert.ok(short >= 2 && long >= short + 8, `${short}, ${long}`);
    assert.ok(huge < 30, `${huge}`);
  });

  it('does not make a short request wait because of a long one', async (test) => {
    let now = 0;
    test.mock.method(performance, 'now', () => now);
    const long = nextTurn().then(async () => {
      await yieldIfLong();
      now += 3;
      await yieldIfLong();
    });
    const short = nextTurn().then(async () => {
      await yieldIfLong();
      now += 0.2;
      return countTurns(yieldIfLong());
    });
    assert.equal(await short, 0);
    await long;
  });

  it('lets nobody begin in a turn that has taken very long', async (test) => {
    let now = 0;
    test.mock.method(performance, 'now', () => now);
    const long = nextTurn().then(async () => {
      await yieldIfLong();
      now += 9;
    });
    const short = nextTurn().then(() => countTurns(yieldIfLong()));
    assert.equal(await short, 1);
    await long;
  });
});

describe('createTurnstile', () => {
  it('lets one through in a turn of the event loop, of each tenant in turn', async () => {
    const turnOf = createTurnstile();
    const passed: string[] = [];
    for (const name of ['a1', 'a2', 'a3', 'b1']) void turnOf(name.slice(0, 1)).then(() => passed.push(name));
    const afterEach: number[] = [];
    while (passed.length < 4) {
      await nextTurn();
      afterEach.push(passed.length);
    }
    assert.deepEqual(passed, ['a1', 'b1', 'a2', 'a3']);
    assert.ok(
      afterEach.every((count, index) => count - (afterEach[index - 1] ?? 0) <= 1),
      String(afterEach),
    );
    await turnOf('a');
  });
});
