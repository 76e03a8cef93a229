import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPreemptiveQueue, type Preemption } from '../../../src/platform/scheduling/preemptive-queue.ts';

const limits = { running: 3, runningPerTenant: 2, waitingPerTenant: 4, waiting: 100, waitTimeoutMs: 600_000, preemptAfterMs: 1000 };

describe('PreemptiveQueue', () => {
  /** Creates a task that runs until it is aborted. */
  function endless(order: string[], name: string) {
    return ({ signal }: Preemption) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          order.push(name);
          resolve();
        });
      });
  }

  function useClock(t: TestContext) {
    let now = 0;
    t.mock.timers.enable({ apis: ['setTimeout'] });
    t.mock.method(performance, 'now', () => now);
    return async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 50) {
        now += 50;
        t.mock.timers.tick(50);
        await nextTurn();
      }
    };
  }

  it('tasks may take as long as they need while there are slots for every tenant', async (t) => {
    const pass = useClock(t);
    const queue = createPreemptiveQueue(limits);
    const order: string[] = [];
    void queue.run('a', endless(order, 'a1'));
    void queue.run('a', endless(order, 'a2'));
    void queue.run('a', endless(order, 'a3'));
    assert.equal(await queue.run('b', async () => 'done'), 'done');
    await pass(60_000);
    assert.deepEqual(order, [], 'a tenant that waits for its own tasks ends none');
  });

  it('ASVS 15.2.2: the longest task without progress of the tenant with the most tasks ends as soon as a tenant without a slot waits', async (t) => {
    const pass = useClock(t);
    const queue = createPreemptiveQueue(limits);
    const order: string[] = [];
    void queue.run('b', endless(order, 'b1'));
    await pass(100);
    void queue.run('a', endless(order, 'a1'));
    void queue.run('a', endless(order, 'a2'));
    let isDone = false;
    void queue.run('c', async () => {
      isDone = true;
    });
    await pass(900);
    assert.deepEqual([isDone, order], [false, []], 'each has its moment');
    await pass(500);
    assert.deepEqual([isDone, order], [true, ['a1']]);
    await pass(60_000);
    assert.deepEqual(order, ['a1'], 'nobody waits anymore');
  });

  it('ASVS 15.2.2: a task with progress is told to end, and is not aborted', async (t) => {
    const pass = useClock(t);
    const queue = createPreemptiveQueue({ ...limits, running: 1, runningPerTenant: 1 });
    let steps = 0;
    const step = Promise.withResolvers<void>();
    const busy = queue.run('a', async (preemption) => {
      while (!preemption.isDue) {
        steps += 1;
        preemption.touch();
        await nextTurn();
      }
      await step.promise;
      return preemption.signal.aborted;
    });
    const waiting = queue.run('b', async () => 'done');
    await pass(1500);
    assert.ok(steps > 1);
    step.resolve();
    assert.equal(await busy, false);
    assert.equal(await waiting, 'done');
  });

  it('ASVS 15.2.2: very many tenants whose tasks never end delay the next tenant by only a few times that duration', async (t) => {
    const pass = useClock(t);
    const queue = createPreemptiveQueue({ ...limits, running: 20 });
    const order: string[] = [];
    for (let index = 0; index < 60; index += 1) void queue.run(`hostile ${index}`, endless(order, 'hostile'));
    let isDone = false;
    void queue.run('bystander', async () => {
      isDone = true;
    });
    await pass(4000);
    assert.equal(isDone, true);
  });
});
