import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Statistics } from '../../src/contract/statistics.ts';
import { call, register, signIn, type TestAccount } from '../support/client.ts';
import { type Engine, engines } from '../support/engines.ts';
import { type ServedProgram, serveProgram } from '../support/process.ts';
import { retryUntil } from '../support/retry.ts';

const calls = 10_000;
const connections = 60;
// More than 60 connections can meet while one process stops and the next one starts.
const maxRefusals = 200_000;
const pauseAfterRefusalMs = 20;

for (const engine of engines) {
  const count = engine.shared ? 3 : 1;
  describe(`counting by ${count} ${count === 1 ? 'process' : 'processes'} (${engine.name})`, () => {
    it(`counts ${calls} calls to the last one, with a process stopped by SIGTERM in the middle`, async (t) => {
      const { serve } = await prepare(t, engine);
      const instances = await Promise.all(Array.from({ length: count }, serve));
      const [first = assert.fail('no instance')] = instances;
      const account = await register(first);

      await callUntil(calls * 0.4, instances, account);
      const rest = callUntil(calls * 0.6, instances, account);
      // What is sent to it from here on is answered or refused, and only what is answered counts.
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

    it('loses by SIGKILL nothing that was written, which happens by itself', async (t) => {
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

/** A database and a way to start processes on it. All are gone after the test, however it ends. */
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

/** Calls from many connections until so many have been answered with 200. What is refused is tried at the next instance. */
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

/** The status of the answer, or undefined where the connection was refused or ended without one. */
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
