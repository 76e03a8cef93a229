import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isCampaign } from '../support/campaign.ts';
import { call } from '../support/client.ts';
import { createPostgresDatabase, type TestDatabase } from '../support/engines.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/server.ts';
import { type ServedProgram, serveProgram } from '../support/process.ts';
import { retryUntil } from '../support/retry.ts';
import { findViolations, summarize } from './history.ts';
import { countRemovals, findMembershipViolations, places, summarizeMemberships } from './membership-history.ts';
import { startMembershipWorkload } from './membership-workload.ts';
import { startWorkload, type Target } from './workload.ts';

const calmMs = isCampaign ? 5000 : 700;
const minRemovals = isCampaign ? 2000 : 20;
const pauseMs = 700;

describe('three instances on one PostgreSQL, with failures', () => {
  let server: PostgresServer;
  let database: TestDatabase;
  let instances: ServedProgram[] = [];
  before(async () => {
    server = await startPostgres();
    database = await createPostgresDatabase(server.adminUrl);
    instances = await Promise.all(Array.from({ length: 3 }, () => serveProgram({ ...database.env, LOG_LEVEL: 'fatal' })));
  });
  after(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.remove();
    await server.stop();
  });

  it('8.3.2: lose no acknowledged write, accept no reset key and admit no removed member', async (t) => {
    const memberships = await startMembershipWorkload(instances, database);
    const workload = await startWorkload(instances);
    const failures: [string, () => Promise<void>][] = [
      ['an instance is killed in the middle of a rotation', killDuringRotation],
      ['an instance is paused and resumed, three times', pauseAndResume],
      ['PostgreSQL crashes and comes back', () => restartPostgres('SIGQUIT')],
      ['PostgreSQL is restarted', () => restartPostgres('SIGINT')],
    ];
    for (const [name, happen] of failures) {
      await delay(calmMs);
      const from = workload.history.length;
      await happen();
      t.diagnostic(`${name}: ${summarize(workload.history.slice(from))}`);
    }
    await delay(calmMs);
    while (countRemovals(memberships.changes) < minRemovals) await delay(100);
    await Promise.all([workload.stop(), memberships.stop()]);
    t.diagnostic(`in all: ${summarize(workload.history)}`);
    t.diagnostic(`memberships: ${summarizeMemberships(memberships.changes, memberships.probes)}`);
    assert.deepEqual(findMembershipViolations(memberships.changes, memberships.probes), []);
    assert.deepEqual(memberships.surprises, []);
    for (const from of places) assert.ok(memberships.probes.filter((probe) => probe.from === from).length > 20, from);
    assert.deepEqual(workload.surprises, []);
    assert.deepEqual(findViolations(workload.history), []);
    assert.ok(
      workload.history.some(({ kind, outcome }) => kind === 'rotate' && outcome === 'unknown'),
      'a rotation was cut off',
    );

    async function killDuringRotation(): Promise<void> {
      const [victim] = instances;
      assert.ok(victim);
      await workload.untilRotating(victim);
      await victim.kill();
      instances[0] = await serveProgram({ ...database.env, LOG_LEVEL: 'fatal' });
    }

    async function pauseAndResume(): Promise<void> {
      for (let pause = 0; pause < 3; pause += 1) {
        instances[1]?.child.kill('SIGSTOP');
        await delay(pauseMs);
        instances[1]?.child.kill('SIGCONT');
        await delay(pauseMs);
      }
    }

    async function restartPostgres(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
      const startAgain = await server.interrupt(signal);
      await delay(1000);
      await startAgain();
      await Promise.all(instances.map(assertRecovers));
    }
  });
});

/** Asserts that an instance recovers after its database, without a restart. */
function assertRecovers(instance: Target): Promise<void> {
  return retryUntil('the instance does not serve again', async () => (await call(instance, 'GET', '/readyz')).status === 200);
}
