import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { createConcurrencyLimit } from '../../src/domain/concurrency-limit.ts';
import { AppError } from '../../src/errors.ts';

describe('ConcurrencyLimit', () => {
  it('ASVS 15.2.2: runs a few, lets a few wait, refuses the rest with 503', async () => {
    const turnstile = createConcurrencyLimit({ running: 2, waiting: 3 });
    const { promise, resolve } = Promise.withResolvers<void>();
    let started = 0;
    const task = async () => {
      started += 1;
      await promise;
      return 'done';
    };
    const taken = Array.from({ length: 5 }, () => turnstile.run(task));
    assert.equal(started, 2);
    assert.equal(turnstile.waiting, 3);
    await assert.rejects(turnstile.run(task), (err) => err instanceof AppError && err.code === 'overloaded' && err.retryAfterSeconds === 1);

    resolve();
    assert.deepEqual(await Promise.all(taken), Array(5).fill('done'));
    assert.equal(started, 5);
    assert.equal(turnstile.waiting, 0);
  });

  it('hands a place to the next in line, also after a failure, and to nobody who comes later', async () => {
    const turnstile = createConcurrencyLimit({ running: 1, waiting: 9 });
    const order: string[] = [];
    const first = turnstile.run(async () => {
      order.push('first');
      throw new Error('on purpose');
    });
    const second = turnstile.run(async () => void order.push('second'));
    const late = first.catch(() => turnstile.run(async () => void order.push('late')));
    await Promise.all([second, late]);
    assert.deepEqual(order, ['first', 'second', 'late']);
  });

  it('never runs more than it may, and loses no place, whatever comes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ turns: fc.nat({ max: 4 }), fails: fc.boolean() }), { maxLength: 30 }), async (tasks) => {
        const turnstile = createConcurrencyLimit({ running: 3, waiting: 100 });
        let running = 0;
        let most = 0;
        const run = async ({ turns, fails }: { turns: number; fails: boolean }) => {
          running += 1;
          most = Math.max(most, running);
          for (let turn = 0; turn < turns; turn += 1) await nextTurn();
          running -= 1;
          if (fails) throw new Error('on purpose');
        };
        await Promise.allSettled(tasks.map((task) => turnstile.run(() => run(task))));
        assert.ok(most <= 3);
        assert.equal(running, 0);
        assert.equal(turnstile.waiting, 0);
        // All three places are free again.
        const { promise, resolve } = Promise.withResolvers<void>();
        const again = Array.from({ length: 3 }, () => turnstile.run(() => promise));
        assert.equal(turnstile.waiting, 0);
        resolve();
        await Promise.all(again);
      }),
      { numRuns: 50 },
    );
  });
});
