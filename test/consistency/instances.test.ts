import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isCampaign } from '../support/campaign.ts';
import { postgres, type TestDatabase } from '../support/engines.ts';
import { type ServedProgram, serveProgram } from '../support/process.ts';
import { startCachingProxy } from './caching-proxy.ts';
import { findViolations, summarize } from './history.ts';
import { startWorkload } from './workload.ts';

const runForMs = isCampaign ? 120_000 : 6000;

describe('three instances on one PostgreSQL', () => {
  let database: TestDatabase;
  let instances: ServedProgram[] = [];
  before(async () => {
    database = await postgres.create();
    // All start at once on an empty database: one of them creates the schema.
    instances = await Promise.all(Array.from({ length: 3 }, () => serveProgram({ ...database.env, LOG_LEVEL: 'fatal' })));
  });
  after(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.remove();
  });

  it('8.3.2: refuse a reset key from the response on, and never a valid one', async (t) => {
    const workload = await startWorkload(instances);
    await delay(runForMs);
    await workload.stop();
    const { history, surprises } = workload;
    t.diagnostic(summarize(history));
    assert.deepEqual(surprises, []);
    assert.deepEqual(findViolations(history), []);
    for (const outcome of ['accepted', 'refused']) assert.ok(history.filter((call) => call.outcome === outcome).length > 100, outcome);
  });

  it('would be caught within the same time if they cached a valid key for a second', async () => {
    const proxies = await Promise.all(instances.map((instance) => startCachingProxy(instance, 1000)));
    const workload = await startWorkload(proxies);
    const deadline = performance.now() + runForMs;
    let rules = new Set<string>();
    while (!rules.has('dead key accepted') && performance.now() < deadline) {
      await delay(500);
      rules = new Set(findViolations(workload.history).map(({ rule }) => rule));
    }
    await workload.stop();
    for (const proxy of proxies) proxy.close();
    assert.ok(rules.has('dead key accepted'));
  });
});
