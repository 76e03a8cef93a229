import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type ApiResponse, call, register } from '../support/client.ts';
import { asJson, providerKey, startRawServer } from '../support/models.ts';
import { type ServedProgram, serveProgram, withDataDir } from '../support/process.ts';

const completion = '{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]}';
const complete = (res: ServerResponse) => void res.writeHead(200, { 'content-type': 'application/json' }).end(completion);

describe('kill -9 while checks run', () => {
  it('leaves no result, opens no gate, and has not written the provider’s key anywhere', (t) =>
    withDataDir(async (dataDir) => {
      let requests = 0;
      const { promise: second, resolve } = Promise.withResolvers<void>();
      const models = await startRawServer((_req, res) => {
        requests += 1;
        // The first test case is done, and the second is in progress.
        if (requests === 2) resolve();
        else complete(res);
      });
      t.after(() => models.close());
      const env = { DATA_DIR: dataDir, LOG_LEVEL: 'trace', OUTBOUND_ALLOW: '127.0.0.1' };
      let service: ServedProgram = await serveProgram(env);
      const { token: key } = await register(service);
      const send = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
        call(service, method, path, { key, body, ...asJson });
      const expect = async (status: number, response: Promise<ApiResponse>) => {
        const { status: actual, text, body } = await response;
        assert.equal(actual, status, text);
        return body;
      };
      await expect(201, send('POST', '/api/models', { name: 'A', baseUrl: models.url, models: ['a'], apiKey: providerKey }));
      await expect(201, send('POST', '/api/prompts', { name: 'greet', template: 'Hi', labels: [] }));
      for (const name of ['One', 'Two']) {
        await expect(201, send('POST', '/api/prompts/greet/cases', { name, checks: [{ kind: 'matches', value: '^H' }] }));
      }
      await expect(200, send('PATCH', '/api/workspace', { gatedLabels: ['production'] }));

      const check = () => send('POST', '/api/prompts/greet/checks', { version: 1, connection: 'A', parallel: 1 });
      const killed = assert.rejects(check());
      await second;
      const { stdout, stderr } = await service.kill();
      await killed;
      assert.ok(!(stdout + stderr).includes(providerKey));
      service = await serveProgram(env);
      assert.deepEqual(await expect(200, send('GET', '/api/prompts/greet/checks')), { data: [], nextCursor: null });
      await expect(409, send('PUT', '/api/prompts/greet/labels/production', { version: 1 }));
      await expect(200, check());
      await expect(200, send('PUT', '/api/prompts/greet/labels/production', { version: 1 }));
      await service.stop();
      for (const file of await readdir(dataDir)) assert.ok(!(await readFile(join(dataDir, file))).includes(providerKey), file);
    }));
});
