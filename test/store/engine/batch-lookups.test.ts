import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { batchLookups } from '../../../src/store/engine/batch-lookups.ts';

/** A query in progress, whose result the test decides. */
interface Query {
  keys: string[];
  respond(found?: Map<string, string>): void;
  fail(err: Error): void;
}

function createLookups(limits = { keys: 256, queries: 2 }) {
  const queries: Query[] = [];
  const find = batchLookups<string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>();
    queries.push({ keys, respond: (found = new Map(keys.map((key) => [key, `account of ${key}`]))) => resolve(found), fail: reject });
    return promise;
  }, limits);
  return { queries, find };
}

const keysOf = (queries: Query[]) => queries.map(({ keys }) => keys);

describe('batched lookups', () => {
  it('start at the end of their event-loop turn while fewer than two queries are in progress', async () => {
    const { queries, find } = createLookups();
    find('a');
    find('b');
    await turn();
    assert.deepEqual(keysOf(queries), [['a', 'b']]);
    find('c');
    await turn();
    assert.deepEqual(keysOf(queries), [['a', 'b'], ['c']]);
  });

  it('wait for one query while two are in progress', async () => {
    const { queries, find } = createLookups();
    const responses: Promise<string | undefined>[] = [];
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      responses.push(find(key));
      await turn();
    }
    assert.deepEqual(keysOf(queries), [['a'], ['b']]);
    queries[0]?.respond();
    await turn();
    assert.deepEqual(keysOf(queries), [['a'], ['b'], ['c', 'd', 'e']]);
    for (const query of queries) query.respond();
    assert.deepEqual(
      await Promise.all(responses),
      ['a', 'b', 'c', 'd', 'e'].map((key) => `account of ${key}`),
    );
  });

  it('never use more than 256 keys per query, nor more than two queries at once', async () => {
    const { queries, find } = createLookups();
    const responses = Array.from({ length: 1000 }, (_, index) => find(`key ${index}`));
    await turn();
    let mostInFlight = 0;
    for (let done = 0; done < queries.length; done += 1) {
      mostInFlight = Math.max(mostInFlight, queries.length - done);
      queries[done]?.respond();
      await turn();
    }
    await Promise.all(responses);
    assert.equal(mostInFlight, 2);
    assert.deepEqual(
      queries.map(({ keys }) => keys.length),
      [256, 256, 256, 232],
    );
  });

  it('share a key that two of them look up at the same time', async () => {
    const { queries, find } = createLookups({ keys: 256, queries: 1 });
    const responses = [find('first'), find('a'), find('a')];
    await turn();
    assert.deepEqual(keysOf(queries), [['first', 'a']]);
    queries[0]?.respond();
    assert.deepEqual(await Promise.all(responses), ['account of first', 'account of a', 'account of a']);
  });

  it('cache neither a key nor its absence', async () => {
    const { queries, find } = createLookups();
    for (const found of [new Map(), new Map([['a', 'found']]), new Map()]) {
      const response = find('a');
      await turn();
      queries.at(-1)?.respond(found);
      assert.equal(await response, found.get('a'));
    }
    assert.deepEqual(keysOf(queries), [['a'], ['a'], ['a']]);
  });

  it('fail with their own query only', async () => {
    const { queries, find } = createLookups({ keys: 2, queries: 1 });
    const responses = ['a', 'b', 'c', 'd', 'e'].map((key) => find(key));
    const outcome = Promise.allSettled(responses);
    await turn();
    queries[0]?.respond();
    await turn();
    queries[1]?.fail(new Error('the database is unavailable'));
    await turn();
    queries[2]?.respond();
    assert.deepEqual(
      (await outcome).map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
  });

  it('return nothing older than their own start, in any order of queries and changes', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('look up' as const), key: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ kind: fc.constant('change' as const), key: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ kind: fc.constant('respond' as const), key: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const versions = [0, 0, 0, 0];
        const inFlight: (() => void)[] = [];
        const find = batchLookups<number>(
          async (keys) => {
            const snapshot = new Map(keys.map((key) => [key, versions[Number(key)] ?? -1]));
            await new Promise<void>((resolve) => inFlight.push(resolve));
            return snapshot;
          },
          { keys: 2, queries: 2 },
        );
        const checks: Promise<void>[] = [];
        for (const { kind, key } of steps) {
          if (kind === 'change') versions[key] = (versions[key] ?? 0) + 1;
          else if (kind === 'respond') inFlight.splice(key % (inFlight.length || 1), 1)[0]?.();
          else {
            const versionAtStart = versions[key] ?? 0;
            checks.push(find(String(key)).then((version) => assert.ok(version !== undefined && version >= versionAtStart)));
          }
          await turn();
        }
        while (inFlight.length > 0) {
          inFlight.shift()?.();
          await turn();
        }
        await Promise.all(checks);
      }),
      { numRuns: 50 },
    );
  });
});
