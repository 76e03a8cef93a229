import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { AppError } from '../../../src/errors.ts';
import { createFairQueue } from '../../../src/platform/scheduling/fair-queue.ts';

const limits = { running: 1, runningPerTenant: 1, waitingPerTenant: 4, waiting: 6, waitTimeoutMs: 60_000 };

describe('FairQueue', () => {
  it('ASVS 15.2.2: takes waiting tasks from each tenant in turn', async () => {
    const { queue, release, order, add } = blockedQueue();
    const tasks = [add('a'), add('a'), add('a'), add('b'), add('c'), add('b')];
    assert.equal(queue.waiting, 6);
    release();
    await Promise.all(tasks);
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    assert.equal(queue.waiting, 0);
  });

  it('ASVS 15.2.2: refuses a tenant whose share is full with 429, and nobody else', async () => {
    const { release, add } = blockedQueue();
    const tasks = [add('a'), add('a'), add('a'), add('a')];
    await assert.rejects(add('a'), (err) => err instanceof AppError && err.status === 429 && err.retryAfterSeconds === 1);
    tasks.push(add('b'));
    release();
    await Promise.all(tasks);
  });

  it('refuses a task whose signal is aborted while it waits, and keeps the order of the others', async () => {
    const { queue, release, order, add } = blockedQueue();
    const leaving = new AbortController();
    const first = add('a');
    const left = assert.rejects(
      queue.run('a', async () => assert.fail('It was started'), leaving.signal),
      { name: 'AbortError' },
    );
    const last = add('a');
    leaving.abort();
    await left;
    assert.equal(queue.waiting, 2);
    release();
    await Promise.all([first, last]);
    assert.deepEqual(order, ['a1', 'a2']);
  });

  it('ASVS 15.2.2: frees a place for a new tenant by refusing the newest task of the tenant with the most tasks', async () => {
    const { release, order, add } = blockedQueue();
    const tasks = [add('a'), add('a'), add('a'), add('b'), add('b')];
    const newest = assert.rejects(add('a'), isTooMany);
    tasks.push(add('c'));
    await newest;
    await assert.rejects(add('b'), isOverloaded, 'b would have as many as a');
    release();
    await Promise.all(tasks);
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('refuses a task that has waited too long, and never starts it: 503 if other tenants delayed it, 429 if its own tenant did', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const { queue, release, order, add } = blockedQueue();
    const late = [assert.rejects(add('a'), isOverloaded), assert.rejects(add('first'), isTooMany)];
    test.mock.timers.tick(limits.waitTimeoutMs);
    await Promise.all(late);
    assert.equal(queue.waiting, 0);
    const next = add('b');
    release();
    await next;
    assert.deepEqual(order, ['b1']);
  });

  it('refuses the waiting tasks of a tenant when the database is unavailable, and nobody else', async () => {
    const queue = createFairQueue({ ...limits, failsTogether: true });
    const { promise, reject } = Promise.withResolvers<void>();
    const failing = ['a', 'a', 'a'].map((tenant) =>
      assert.rejects(
        queue.run(tenant, () => promise),
        { code: 'database_unavailable' },
      ),
    );
    const other = queue.run('b', async () => 'done');
    reject(new AppError('database_unavailable'));
    await Promise.all(failing);
    assert.equal(await other, 'done');
    const failed = assert.rejects(
      queue.run('a', () => Promise.reject(new Error('of its own'))),
      /of its own/,
    );
    assert.equal(await queue.run('a', async () => 'done'), 'done');
    await failed;
  });

  it('ASVS 15.2.2: leaves a slot free for others while a tenant uses its own', async () => {
    const queue = createFairQueue({ ...limits, running: 2 });
    const { promise, resolve: release } = Promise.withResolvers<string>();
    const slow = [queue.run('a', () => promise), queue.run('a', () => promise)];
    assert.equal(queue.waiting, 1);
    assert.equal(await queue.run('b', async () => 'done'), 'done');
    assert.equal(queue.waiting, 1);
    release('done');
    assert.deepEqual(await Promise.all(slow), ['done', 'done']);
  });

  it('ASVS 15.2.2: tenants that hold their full share leave slots to the next ones, and the tenant with the fewest is served next', async () => {
    const queue = createFairQueue({
      running: 64,
      runningPerTenant: 16,
      shareOfFree: 1 / 4,
      waitingPerTenant: 16,
      waiting: 1000,
      waitTimeoutMs: 60_000,
    });
    const { promise, resolve: release } = Promise.withResolvers<void>();
    const held = Array.from({ length: 20 * 16 }, (_, index) => queue.run(`holder ${index % 20}`, () => promise));
    for (let index = 0; index < 4; index += 1) assert.equal(await queue.run(`new ${index}`, async () => 'done'), 'done');
    release();
    await Promise.all(held);
    assert.equal(queue.waiting, 0);

    const two = createFairQueue({ ...limits, running: 3, runningPerTenant: 2 });
    const slots = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const order: string[] = [];
    const taken = ['a', 'a', 'b'].map((tenant, index) => two.run(tenant, async () => slots[index]?.promise));
    const next = ['b', 'c'].map((tenant) => two.run(tenant, async () => void order.push(tenant)));
    slots[0]?.resolve();
    await Promise.all(next);
    assert.deepEqual(order, ['c', 'b']);
    for (const { resolve } of slots) resolve();
    await Promise.all(taken);
  });

  it('ASVS 15.2.2: keeps a slot for `releaseAfterMs`, so that requests which arrive during a task are handled before the next', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const queue = createFairQueue({ ...limits, releaseAfterMs: 1 });
    const order: string[] = [];
    await queue.run('a', async () => order.push('first'));
    const second = queue.run('a', async () => order.push('second'));
    await nextTurn();
    order.push('request');
    test.mock.timers.tick(1);
    await second;
    assert.deepEqual(order, ['first', 'request', 'second']);
  });

  it('ASVS 15.2.2: starts each task of a tenant in a separate turn of the event loop, so that others run in between', async () => {
    const queue = createFairQueue({ ...limits, running: 2 });
    const order: string[] = [];
    let isDone = false;
    const others = async () => {
      while (!isDone) {
        order.push('other');
        await nextTurn();
      }
    };
    const running = others();
    for (const name of ['a1', 'a2', 'a3']) await queue.run('a', async () => void order.push(name));
    isDone = true;
    await running;
    assert.deepEqual(order.slice(0, 6), ['other', 'a1', 'other', 'a2', 'other', 'a3']);
  });

  it('never runs more than its limit, and loses no slot, for any tasks', async () => {
    const anyTask = fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), turns: fc.nat({ max: 4 }), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(anyTask, { maxLength: 30 }), async (tasks) => {
        const queue = createFairQueue({ running: 3, runningPerTenant: 3, waitingPerTenant: 5, waiting: 9, waitTimeoutMs: 60_000 });
        let running = 0;
        let most = 0;
        const run = async ({ turns, fails }: { turns: number; fails: boolean }) => {
          running += 1;
          most = Math.max(most, running);
          for (let turn = 0; turn < turns; turn += 1) await nextTurn();
          running -= 1;
          if (fails) throw new Error('on purpose');
        };
        await Promise.allSettled(tasks.map((task) => queue.run(task.tenant, () => run(task))));
        assert.ok(most <= 3);
        assert.equal(running, 0);
        assert.equal(queue.waiting, 0);
        // All three slots are free again by the next turn of the event loop.
        await nextTurn();
        const { promise, resolve } = Promise.withResolvers<void>();
        let started = 0;
        const all = [1, 2, 3].map(() =>
          queue.run('a', async () => {
            started += 1;
            await promise;
          }),
        );
        assert.equal(started, 3);
        resolve();
        await Promise.all(all);
      }),
    );
  });
});

/** Creates a queue whose only slot is occupied until `release` is called. `add` queues a task that records its tenant and number. */
function blockedQueue() {
  const queue = createFairQueue(limits);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const order: string[] = [];
  const counts = new Map<string, number>();
  void queue.run('first', () => promise);
  const add = (tenant: string) => {
    const number = (counts.get(tenant) ?? 0) + 1;
    counts.set(tenant, number);
    return queue.run(tenant, async () => void order.push(`${tenant}${number}`));
  };
  return { queue, release, order, add };
}

function isTooMany(err: unknown): boolean {
  return err instanceof AppError && err.code === 'too_many_concurrent';
}

function isOverloaded(err: unknown): boolean {
  return err instanceof AppError && err.code === 'overloaded';
}
