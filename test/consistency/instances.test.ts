import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { postgres, type TestDatabase } from '../support/engines.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { startCachingProxy } from './caching-proxy.ts';
import { findViolations, summarise } from './history.ts';
import { startWorkload, type Target } from './workload.ts';

const runForMs = 20_000;
const provokeForMs = 3000;

describe('three instances on one PostgreSQL', () => {
  let database: TestDatabase;
  let instances: Instance[] = [];
  before(async () => {
    database = await postgres.create();
    // All at once on an empty database: one of them makes the schema.
    instances = await Promise.all(Array.from({ length: 3 }, () => startInstance(database.env)));
  });
  after(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.remove();
  });

  it('8.3.2: refuse a reset key from the moment of the answer, and never a living one', async (t) => {
    const { history, surprises } = await runWorkload(instances, runForMs);
    t.diagnostic(summarise(history));
    assert.deepEqual(surprises, []);
    assert.deepEqual(findViolations(history), []);
    for (const outcome of ['accepted', 'refused']) assert.ok(history.filter((call) => call.outcome === outcome).length > 100, outcome);
  });

  it('would be caught if they remembered a good key for a quarter of a second', async () => {
    const proxies = await Promise.all(instances.map((instance) => startCachingProxy(instance, 250)));
    const { history } = await runWorkload(proxies, provokeForMs);
    for (const proxy of proxies) proxy.close();
    const rules = new Set(findViolations(history).map(({ rule }) => rule));
    assert.ok(rules.has('dead key accepted'));
  });
});

async function runWorkload(targets: Target[], durationMs: number) {
  const workload = await startWorkload(targets);
  await delay(durationMs);
  await workload.stop();
  return workload;
}
