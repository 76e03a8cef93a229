import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { AppError } from '../../../src/errors.ts';
import { createConcurrencyLimit } from '../../../src/platform/scheduling/concurrency-limit.ts';

describe('ConcurrencyLimit', () => {
  it('ASVS 15.2.2: runs some tasks, queues some, and refuses the rest with 503', async () => {
    const limit = createConcurrencyLimit({ running: 2, waiting: 3 });
    const { promise, resolve } = Promise.withResolvers<void>();
    let started = 0;
    const task = async () => {
      started += 1;
      await promise;
      return 'done';
    };
    const taken = Array.from({ length: 5 }, () => limit.run(task));
    assert.equal(started, 2);
    assert.equal(limit.waiting, 3);
    await assert.rejects(limit.run(task), (err) => err instanceof AppError && err.code === 'overloaded' && err.retryAfterSeconds === 1);

    resolve();
    assert.deepEqual(await Promise.all(taken), Array(5).fill('done'));
    assert.equal(started, 5);
    assert.equal(limit.waiting, 0);
  });

  it('runs the next task in the queue, also after a failure, before any later one', async () => {
    const limit = createConcurrencyLimit({ running: 1, waiting: 9 });
    const order: string[] = [];
    const first = limit.run(async () => {
      order.push('first');
      throw new Error('on purpose');
    });
    const second = limit.run(async () => void order.push('second'));
    const late = first.catch(() => limit.run(async () => void order.push('late')));
    await Promise.all([second, late]);
    assert.deepEqual(order, ['first', 'second', 'late']);
  });

  it('never runs more than its limit, and loses no slot, for any tasks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ turns: fc.nat({ max: 4 }), fails: fc.boolean() }), { maxLength: 30 }), async (tasks) => {
        const limit = createConcurrencyLimit({ running: 3, waiting: 100 });
        let running = 0;
        let most = 0;
        const run = async ({ turns, fails }: { turns: number; fails: boolean }) => {
          running += 1;
          most = Math.max(most, running);
          for (let turn = 0; turn < turns; turn += 1) await nextTurn();
          running -= 1;
          if (fails) throw new Error('on purpose');
        };
        await Promise.allSettled(tasks.map((task) => limit.run(() => run(task))));
        assert.ok(most <= 3);
        assert.equal(running, 0);
        assert.equal(limit.waiting, 0);
        // All three slots are free again.
        const { promise, resolve } = Promise.withResolvers<void>();
        const again = Array.from({ length: 3 }, () => limit.run(() => promise));
        assert.equal(limit.waiting, 0);
        resolve();
        await Promise.all(again);
      }),
      { numRuns: 50 },
    );
  });
});
