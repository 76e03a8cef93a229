import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isCampaign } from '../support/campaign.ts';
import { postgres, type TestDatabase } from '../support/engines.ts';
import { type ServedProgram, serveProgram } from '../support/process.ts';
import { startCachingProxy } from './caching-proxy.ts';
import { findViolations, summarize } from './history.ts';
import { countRemovals, findMembershipViolations, summarizeMemberships } from './membership-history.ts';
import { startMembershipWorkload } from './membership-workload.ts';
import { startWorkload } from './workload.ts';

const runForMs = isCampaign ? 120_000 : 3000;

describe('three instances on one PostgreSQL', () => {
  let database: TestDatabase;
  let instances: ServedProgram[] = [];
  before(async () => {
    database = await postgres.create();
    // All instances start at once on an empty database, and one of them creates the schema.
    instances = await Promise.all(Array.from({ length: 3 }, () => serveProgram({ ...database.env, LOG_LEVEL: 'fatal' })));
  });
  after(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.remove();
  });

  it('8.3.2: refuse a key as soon as the response to its reset has arrived, and never refuse a valid key', async (t) => {
    const workload = await startWorkload(instances);
    const { history, surprises } = workload;
    const hasEnough = () => ['accepted', 'refused'].every((outcome) => history.filter((call) => call.outcome === outcome).length > 100);
    await delay(runForMs);
    while (!hasEnough()) await delay(100);
    await workload.stop();
    t.diagnostic(summarize(history));
    assert.deepEqual(surprises, []);
    assert.deepEqual(findViolations(history), []);
  });

  it('8.3.2: refuse a member as soon as the response to the removal or demotion has arrived, even in team workspaces', async (t) => {
    const workload = await startMembershipWorkload(instances, database);
    const { changes, probes, surprises } = workload;
    await delay(runForMs);
    while (countRemovals(changes) < 20) await delay(100);
    await workload.stop();
    t.diagnostic(summarizeMemberships(changes, probes));
    assert.deepEqual(surprises, []);
    assert.deepEqual(findMembershipViolations(changes, probes), []);
  });

  it('would be caught if they cached a valid key for a second', async () => {
    const proxies = await Promise.all(instances.map((instance) => startCachingProxy(instance, 1000)));
    const workload = await startWorkload(proxies);
    while (!findViolations(workload.history).some(({ rule }) => rule === 'dead key accepted')) await delay(100);
    await workload.stop();
    for (const proxy of proxies) proxy.close();
  });
});
