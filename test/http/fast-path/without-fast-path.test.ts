import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type ApiResponse, call, register } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, withService } from '../../support/service.ts';
import { countHandled } from '../../support/workspaces.ts';

const name = 'folder%2Fgreeting';
const requests: { method: 'GET' | 'POST'; path: string; body?: unknown; status: number }[] = [
  { method: 'GET', path: '/api/auth/token', status: 200 },
  { method: 'GET', path: '/api/prompts', status: 200 },
  { method: 'GET', path: '/api/prompts?include=content', status: 200 },
  { method: 'GET', path: '/api/prompts?limit=none', status: 400 },
  { method: 'GET', path: `/api/prompts/${name}`, status: 200 },
  { method: 'GET', path: `/api/prompts/${name}/versions`, status: 200 },
  { method: 'GET', path: '/api/prompts/nothing', status: 404 },
  { method: 'GET', path: `/api/public/v2/prompts/${name}`, status: 200 },
  { method: 'POST', path: `/api/prompts/${name}/render`, body: { variables: { name: 'Zoë' } }, status: 200 },
  { method: 'POST', path: `/api/prompts/${name}/render`, body: { variables: {} }, status: 422 },
  { method: 'POST', path: `/api/prompts/${name}/render`, body: { variables: 1 }, status: 400 },
  { method: 'POST', path: '/api/prompts/nothing/render', body: {}, status: 404 },
];

for (const engine of engines) {
  describe(`The service without the fast path (${engine.name})`, () => {
    it('responds to each request of the fast path with the same status, headers and bytes', async (t) => {
      const database = await engine.createMigrated();
      t.after(() => database.remove());
      let key = '';
      const withFastPath = await withService(database, {}, async (service) => {
        key = (await register(service)).token;
        const body = { name: 'folder/greeting', template: 'Grüße, {{ name }} 👋', config: { temperature: 0.5 } };
        assert.equal((await call(service, 'POST', '/api/prompts', { key, body })).status, 201);
        await sendAll(service, key);
        return sendAll(service, key);
      });
      // Only the routes apply the rate limit, so the fast path is disabled.
      const env = { RATE_LIMIT_PER_MINUTE: '10000' };
      const without = await withService(database, env, async (service) => {
        const handled = await countHandled(() => call(service, 'GET', '/api/auth/token', { key }));
        assert.equal(handled, 1);
        await sendAll(service, key);
        return sendAll(service, key);
      });
      assert.deepEqual(without, withFastPath);
    });
  });
}

describe('The folder of the fast path', () => {
  it('is imported by nothing but the composition of the service, so it can be deleted', () => {
    const importers = globSync('src/**/*.ts', { exclude: ['src/http/fast-path/**'] }).filter((file) =>
      readFileSync(file, 'utf8').includes('/fast-path/'),
    );
    assert.deepEqual(importers, ['src/http/app.ts']);
  });
});

async function sendAll(service: Service, key: string): Promise<unknown[]> {
  const responses: unknown[] = [];
  for (const { method, path, body, status } of requests) {
    const response = await call(service, method, path, { key, body });
    assert.equal(response.status, status, `${path}: ${response.text}`);
    responses.push({ path, ...withoutRequest(response) });
  }
  return responses;
}

/** Returns the response without the rate limit headers and the parts that differ between two equal requests. */
function withoutRequest({ status, headers, text }: ApiResponse) {
  const varying = /^(x-request-id|date|ratelimit.*|x-ratelimit.*)$/;
  return { status, text, headers: [...headers].filter(([header]) => !varying.test(header)) };
}
