import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Statistics } from '../../src/contract/statistics.ts';
import { isCampaign } from '../support/campaign.ts';
import { call, register, signIn, type TestAccount } from '../support/client.ts';
import { type Engine, engines } from '../support/engines.ts';
import { type ServedProgram, serveProgram } from '../support/process.ts';
import { retryUntil } from '../support/retry.ts';

const calls = isCampaign ? 10_000 : 600;
const connections = 60;
// This is more refusals than can happen while one process stops and the next one starts.
const maxRefusals = 200_000;
const pauseAfterRefusalMs = 20;

for (const engine of engines) {
  const count = engine.shared ? 3 : 1;
  describe(`counting by ${count} ${count === 1 ? 'process' : 'processes'} (${engine.name})`, () => {
    it(`counts each of ${calls} calls, with a process stopped by SIGTERM in the middle`, async (t) => {
      const { serve } = await prepare(t, engine);
      const instances = await Promise.all(Array.from({ length: count }, serve));
      const [first = assert.fail('no instance')] = instances;
      const account = await register(first);

      await callUntil(calls * 0.4, instances, account);
      const rest = callUntil(calls * 0.6, instances, account);
      // A stopping process either responds to a call or refuses the connection. The test counts only responses.
      assert.equal((await first.stop()).code, 0);
      if (!engine.shared) instances.push(await serve());
      await rest;
      for (const instance of instances.slice(1)) assert.equal((await instance.stop()).code, 0);

      const { totals, byStatus, series } = await statisticsOf(await serve(), account);
      assert.deepEqual(totals, { calls, errors: 0 });
      assert.deepEqual(byStatus, [{ status: 200, calls }]);
      assert.equal(
        series.reduce((sum, interval) => sum + interval.calls, 0),
        calls,
      );
    });

    it('writes automatically, and SIGKILL loses nothing that was written', async (t) => {
      const { serve } = await prepare(t, engine);
      const killed = await serve();
      const account = await register(killed);
      const cookie = await signIn(killed, account);
      await callUntil(300, [killed], account);
      await retryUntil('300 calls are not written', async () => (await statisticsOf(killed, account, cookie)).totals.calls >= 300);
      await callUntil(200, [killed], account);
      await killed.kill();

      const { totals } = await statisticsOf(await serve(), account);
      assert.ok(totals.calls >= 300 && totals.calls <= 500, `${totals.calls} of 500 calls, 300 of them written before`);
    });
  });
}

/**
 * Creates a database and a function that starts processes on it. The processes and the database are removed after the test, even if it
 * fails.
 */
async function prepare(t: TestContext, engine: Engine) {
  const database = await engine.create();
  const started: ServedProgram[] = [];
  t.after(async () => {
    await Promise.all(started.map((instance) => instance.kill()));
    await database.remove();
  });
  const serve = async (): Promise<ServedProgram> => {
    const instance = await serveProgram(database.env);
    started.push(instance);
    return instance;
  };
  return { serve };
}

/** Calls from many connections until `wanted` calls have succeeded. A refused call is repeated at the next instance. */
async function callUntil(wanted: number, instances: ServedProgram[], { token }: TestAccount): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let started = 0;
  let refusals = 0;
  const worker = async (number: number): Promise<void> => {
    for (let turn = number; started < wanted; turn += 1) {
      started += 1;
      const instance = instances[turn % instances.length] ?? assert.fail('no instance');
      const status = await statusOf(`${instance.url}/api/auth/token`, { agent, headers: { authorization: `Bearer ${token}` } });
      if (status === 200) continue;
      assert.ok(status === undefined || status === 503, `${status}`);
      started -= 1;
      refusals += 1;
      assert.ok(refusals < maxRefusals, `${refusals} calls were refused, the last with ${status ?? 'no response'}`);
      await delay(pauseAfterRefusalMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, number) => worker(number)));
  agent.destroy();
}

/** Resolves with the status of the response, or with undefined if there was none. */
function statusOf(url: string, options: { agent: Agent; headers: Record<string, string> }): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  get(url, options, (res) => res.resume().on('end', () => resolve(res.statusCode))).on('error', () => resolve(undefined));
  return promise;
}

async function statisticsOf(instance: ServedProgram, account: TestAccount, cookie?: string): Promise<Statistics> {
  const response = await call(instance, 'GET', '/api/stats', cookie === undefined ? { key: account.token } : { cookie });
  assert.equal(response.status, 200, response.text);
  return response.body as Statistics;
}
