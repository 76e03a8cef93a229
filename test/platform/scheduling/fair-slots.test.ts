import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../../../src/errors.ts';
import { createFairSlots, type Slot } from '../../../src/platform/scheduling/fair-slots.ts';

const limits = { perOwner: 4, total: 6, stalledMs: 1000, what: 'streams' };

describe('FairSlots', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => mock.restoreAll());

  function createTaker(options: Partial<typeof limits> = {}) {
    const slots = createFairSlots({ ...limits, ...options });
    const evicted: string[] = [];
    const take = (name: string, { weight = 1, owners = [name.slice(0, 1)] }: { weight?: number; owners?: string[] } = {}): Slot => {
      const slot = slots.take({ owners: new Set(owners), weight });
      slot.evicted.addEventListener('abort', () => evicted.push(name));
      return slot;
    };
    return { take, evicted };
  }

  it('ASVS 15.2.2: refuses an owner that has too many with 429, and nobody else', () => {
    const { take, evicted } = createTaker();
    const held = ['a1', 'a2', 'a3', 'a4'].map((name) => take(name));
    assert.throws(() => take('a5'), isTooMany);
    assert.throws(() => take('b1', { owners: ['b', 'a'] }), isTooMany, 'one of its owners has too many');
    take('b1');
    held[0]?.release();
    held[0]?.release();
    take('a5');
    assert.deepEqual(evicted, []);
  });

  it('ASVS 15.2.2: when all are taken, the owner with the most loses the slot without progress for the longest time', () => {
    const { take, evicted } = createTaker();
    const [first] = [take('a1'), take('a2'), take('a3'), take('a4'), take('b1'), take('b2')];
    now = 10;
    first?.touch();
    take('c1');
    take('d1');
    assert.deepEqual(evicted, ['a2', 'a3']);
    take('e1');
    take('f1');
    assert.equal(evicted.length, 4);
    assert.throws(() => take('g1'), isOverloaded, 'everyone has one, and none was idle for long');
    assert.throws(() => take('c2'), isOverloaded);
    assert.equal(evicted.length, 4, 'a refusal ends nothing');
  });

  it('ASVS 15.2.2: when every owner has one slot, a slot that has stalled for long is lost, and no other', () => {
    const { take, evicted } = createTaker();
    const slots = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => take(name));
    slots[0]?.excuse();
    slots[1]?.excuse();
    now = 999;
    assert.throws(() => take('g'), isOverloaded);
    now = 1000;
    slots[2]?.touch();
    assert.throws(() => take('e2'), isOverloaded, 'who has one gets no second one at the cost of others');
    for (const name of ['g', 'h', 'i']) take(name);
    assert.deepEqual(evicted, ['d', 'e', 'f']);
    assert.throws(() => take('j'), isOverloaded);
    slots[3]?.release();
    assert.throws(() => take('j'), isOverloaded, 'a slot that was lost makes no room twice');
  });

  it('weighs slots: a small request is admitted at the cost of a large one', () => {
    const { take, evicted } = createTaker({ total: 100 });
    for (const name of ['a', 'b', 'c', 'd']) take(name, { weight: 25 });
    take('e', { weight: 5 });
    assert.deepEqual(evicted, ['a']);
    assert.throws(() => take('f', { weight: 25 }), isOverloaded);
    take('g', { weight: 20 });
    take('h', { weight: 24 });
    assert.deepEqual(evicted, ['a', 'b']);
  });

  it('never holds more than its total, and loses no capacity, for any requests', () => {
    const anyRequest = fc.record({
      owner: fc.constantFrom('a', 'b', 'c', 'd'),
      weight: fc.integer({ min: 1, max: 3 }),
      release: fc.nat(8),
    });
    fc.assert(
      fc.property(fc.array(anyRequest, { maxLength: 60 }), (requests) => {
        const slots = createFairSlots(limits);
        const held = new Map<Slot, number>();
        for (const { owner, weight, release } of requests) {
          now += 300;
          try {
            const slot = slots.take({ owners: new Set([owner]), weight });
            slot.evicted.addEventListener('abort', () => held.delete(slot));
            held.set(slot, weight);
          } catch (err) {
            assert.ok(err instanceof AppError);
          }
          const leaving = [...held.keys()][release];
          leaving?.release();
          if (leaving) held.delete(leaving);
          const sum = [...held.values()].reduce((total, each) => total + each, 0);
          assert.ok(sum <= limits.total);
        }
        for (const slot of held.keys()) slot.release();
        for (let count = 0; count < limits.total; count += 1) {
          const slot = slots.take({ owners: new Set([`new ${count}`]) });
          slot.evicted.addEventListener('abort', () => assert.fail('There is room'));
        }
      }),
    );
  });
});

function isTooMany(err: unknown): boolean {
  return err instanceof AppError && err.code === 'too_many_streams';
}

function isOverloaded(err: unknown): boolean {
  return err instanceof AppError && err.code === 'overloaded';
}
