import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCampaign } from '../support/campaign.ts';
import { engines } from '../support/engines.ts';
import { type ServedProgram, serveProgram } from '../support/process.ts';
import { retryUntil } from '../support/retry.ts';

const batches = isCampaign ? 400 : 20;
const senders = 4;
const callsPerBatch = 50;
/** The service is killed when this many batches have been acknowledged, while the next ones are being sent. */
const kills = isCampaign ? [5, 20, 50, 100, 150, 200, 250, 300] : [5];

describe('kill -9 while programs report calls', { concurrency: true }, () => {
  for (const engine of engines) {
    it(`each call counts once, although it is sent again until it is acknowledged (${engine.name})`, async (t) => {
      const database = await engine.createMigrated();
      const serve = () => serveProgram({ ...database.env, LOG_LEVEL: 'error' });
      let service: ServedProgram = await serve();
      t.after(async () => {
        await service.kill();
        await database.remove();
      });
      const send = async (method: string, path: string, key: string, body?: object) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const response = await fetch(`${service.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
        return { status: response.status, body: (await response.json()) as Record<string, unknown> };
      };
      const account = { email: 'ada@example.com', password: 'a long enough password', name: 'Ada' };
      const key = String((await send('POST', '/api/auth/register', '', account)).body.token);
      assert.equal((await send('POST', '/api/prompts', key, { name: 'greeting', template: 'Hello' })).status, 201);

      const restarts: Promise<void>[] = [];
      let acknowledged = 0;
      /** Sends a batch as an exporter does, again and again until it is acknowledged. */
      const report = async (batch: number) => {
        const calls = Array.from({ length: callsPerBatch }, (_, index) => ({
          ...{ prompt: 'greeting', version: 1, durationMs: 10, traceId: `trace ${batch}`, spanId: `span ${index}` },
        }));
        await retryUntil(`batch ${batch} is acknowledged`, async () => {
          const response = await send('POST', '/api/results', key, { calls }).catch(() => undefined);
          return response?.status === 202;
        });
        acknowledged += 1;
        if (kills.includes(acknowledged)) restarts.push(restart());
      };
      const restart = async () => {
        await service.kill();
        service = await serve();
      };
      let next = 0;
      const sendAll = async () => {
        for (let batch = next++; batch < batches; batch = next++) await report(batch);
      };
      await Promise.all(Array.from({ length: senders }, sendAll));
      await Promise.all(restarts);
      assert.equal(restarts.length, kills.length);
      const { body } = await send('GET', '/api/prompts/greeting/results', key);
      assert.equal((body.totals as { calls: number }).calls, batches * callsPerBatch);
    });
  }
});
