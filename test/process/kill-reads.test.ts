import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Statistics } from '../../src/contract/statistics.ts';
import { type ApiResponse, call, register } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { type ServedProgram, serveProgram } from '../support/process.ts';
import { startService } from '../support/service.ts';

for (const engine of engines) {
  describe(`kill -9 while a release is read (${engine.name})`, () => {
    it('loses no read and no key that was written, and counts reads as often as calls', async (t) => {
      const database = await engine.create();
      const killed: ServedProgram = await serveProgram(database.env);
      t.after(async () => {
        await killed.kill();
        await database.remove();
      });
      const { token: key, userId: accountId } = await register(killed);
      const send = async (method: string, path: string, body?: unknown): Promise<ApiResponse> => {
        const response = await call(killed, method, path, { key, body });
        assert.ok(response.status < 300, response.text);
        return response;
      };
      await send('POST', '/api/prompts', { name: 'a', template: 'one' });
      await send('POST', '/api/prompts/a/versions', { template: 'two' });
      const release = { control: 1, arms: [{ version: 2, weight: 5000 }] };
      const { id: releaseId } = (await send('PUT', '/api/prompts/a/labels/production/release', release)).body as { id: string };
      const readAll = async (from: number, to: number) => {
        for (let index = from; index < to; index += 1) await send('GET', `/api/prompts/a?key=user-${index}`);
      };
      await readAll(0, 200);
      // Before the service responds to this request, it writes all earlier counts.
      assert.equal(((await send('GET', '/api/prompts/a/keys')).body as { keys: number }).keys, 200);
      await readAll(200, 300);
      await killed.kill();

      const service = await startService({ database, env: database.env });
      t.after(() => service.close());
      const get = async (path: string) => (await call(service, 'GET', path, { key })).body;
      const { totals } = (await get('/api/stats?prompt=a')) as Statistics;
      const reads = await service.ctx.store.statistics.readReleaseReads({ accountId, releaseId });
      const counted = reads.reduce((sum, { calls }) => sum + calls, 0);
      const { keys } = (await get('/api/prompts/a/keys')) as { keys: number };
      assert.ok(counted >= 200 && counted <= 300, `${counted} reads`);
      assert.deepEqual([counted, keys], [totals.calls, totals.calls]);
    });
  });
}
