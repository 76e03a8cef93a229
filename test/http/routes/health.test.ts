import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { call } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

for (const engine of engines) {
  describe(`GET /healthz, GET /readyz (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    it('200: while the database responds, without a key', async () => {
      for (const path of ['/healthz', '/readyz']) {
        const response = await call(service, 'GET', path);
        assert.equal(response.status, 200);
        assert.deepEqual(response.body, { status: 'ok' });
        assert.equal((await call(service, 'HEAD', path)).status, 200);
      }
    });

    it('503 from /readyz and 200 from /healthz: once the database is closed', async () => {
      await service.ctx.store.close();
      const response = await call(service, 'GET', '/readyz');
      assert.equal(response.status, 503);
      assert.equal(response.headers.get('retry-after'), '1');
      assert.equal((await call(service, 'GET', '/healthz')).status, 200);
    });
  });
}

describe('GET /api/openapi.json', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('200: OpenAPI 3.1, the file of the repository', async () => {
    const response = await call(service, 'GET', '/api/openapi.json');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(response.text, await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8'));
    assert.match((response.body as { openapi: string }).openapi, /^3\.1\./);
  });

  it('describes what the interface specifies', async () => {
    const { paths } = (await call(service, 'GET', '/api/openapi.json')).body as { paths: Record<string, Record<string, unknown>> };
    for (const [path, method] of [
      ['/api/auth/token', 'post'],
      ['/api/auth/token', 'get'],
      ['/api/auth/token', 'delete'],
      ['/api/prompts', 'get'],
      ['/api/auth/register', 'post'],
    ] as const) {
      assert.ok(paths[path]?.[method], `${method} ${path}`);
    }
  });
});
