import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createOpenExports } from '../../src/http/open-exports.ts';

const limits = { perOwner: 2, total: 4, stalledMs: 250, what: 'exports' };

/** Yields an export that does not end. */
async function* parts(): AsyncGenerator<string> {
  for (let count = 0; ; count += 1) yield `${count}\n`;
}

describe('Open exports', () => {
  function useClock(t: TestContext) {
    const clock = { now: 0 };
    t.mock.method(performance, 'now', () => clock.now);
    return clock;
  }

  it('429: the third export of a workspace', async () => {
    const exports = createOpenExports(limits);
    const [first] = [await exports.open('a', parts()), await exports.open('a', parts())];
    await assert.rejects(exports.open('a', parts()), { code: 'too_many_streams' });
    await new Promise((resolve) => first.once('close', resolve).destroy());
    await exports.open('a', parts());
    await exports.open('b', parts());
  });

  it('ASVS 15.2.2: the workspace with the most exports loses one to a workspace without any', async () => {
    const exports = createOpenExports(limits);
    const held = await Promise.all(['a', 'a', 'b', 'b'].map((name) => exports.open(name, parts())));
    const lost = Promise.race(held.map((stream) => new Promise((resolve) => stream.once('error', resolve))));
    const newcomer = await exports.open('c', parts());
    assert.equal((await lost) instanceof Error, true);
    assert.deepEqual([held.filter(({ destroyed }) => destroyed).length, newcomer.destroyed], [1, false]);
  });

  it('ASVS 15.2.2: when each workspace has one, an export whose client reads nothing is ended, and one that is read continues', async (t) => {
    const clock = useClock(t);
    const exports = createOpenExports(limits);
    const held = await Promise.all(['a', 'b', 'c', 'd'].map((name) => exports.open(name, parts())));
    const iterators = held.map((stream) => stream.iterator({ destroyOnReturn: false }));
    for (const iterator of iterators) await iterator.next();
    clock.now = 200;
    await assert.rejects(exports.open('e', parts()), { code: 'overloaded' });
    // Reads more than a stream buffers.
    for (let count = 0; count < 100; count += 1) for (const iterator of iterators.slice(1)) await iterator.next();
    clock.now = 300;
    const stalled = new Promise((resolve) => held[0]?.once('error', resolve));
    const newcomer = await exports.open('e', parts());
    await stalled;
    for (const iterator of iterators.slice(1)) assert.equal((await iterator.next()).done, false);
    assert.equal(newcomer.destroyed, false);
    await assert.rejects(exports.open('f', parts()), { code: 'overloaded' });
  });

  it('an export that loses its slot before its first part is refused', async () => {
    const exports = createOpenExports(limits);
    const reading = Promise.withResolvers<void>();
    async function* slowParts(): AsyncGenerator<string> {
      await reading.promise;
      yield 'x';
    }
    const waiting = ['a', 'a', 'b', 'b'].map((name) => exports.open(name, slowParts()));
    await exports.open('c', parts());
    reading.resolve();
    const outcomes = await Promise.allSettled(waiting);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });
});
