import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, register, type TestAccount } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { type RawResponse, sendRawOnce } from '../support/raw.ts';
import { type Service, startService } from '../support/service.ts';

for (const engine of engines) {
  describe(`GET with a key: the shortcut and the route behind it (${engine.name})`, () => {
    let service: Service;
    let account: TestAccount;
    before(async () => {
      service = await startService({ engine });
      account = await register(service);
      const body = { name: 'folder/greeting', template: 'Grüße, {{ name }} 👋' };
      assert.equal((await call(service, 'POST', '/api/prompts', { key: account.token, body })).status, 201);
      await call(service, 'PATCH', '/api/account', { key: account.token, body: { name: 'Zoë 👋' } });
    });
    after(() => service.close());

    /** An answer without what differs from one request to the next; its headers are compared in their order, too. */
    async function get(path: string, more: string[]): Promise<Omit<RawResponse, 'headers'> & { headers: [string, string][] }> {
      const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${account.token}`, 'Connection: close', ...more];
      const { headers, ...response } = await sendRawOnce(service, `${lines.join('\r\n')}\r\n\r\n`);
      assert.match(headers['x-request-id'] ?? '', /^[\w-]+$/);
      return { ...response, headers: Object.entries({ ...headers, 'x-request-id': '', date: '' }) };
    }

    // Whoever says that a body follows, even of no length, takes the long way.
    const longWay = 'Content-Length: 0';

    for (const path of [
      '/api/auth/token',
      '/api/prompts',
      '/api/prompts?include=content',
      '/api/prompts/folder%2Fgreeting',
      '/api/prompts/folder%2Fgreeting/versions',
    ]) {
      it(`200: answer the same to the byte: ${path}`, async () => {
        const first = await get(path, [longWay]);
        assert.equal(first.status, 200);
        assert.deepEqual(await get(path, []), first);
        assert.deepEqual(await get(path, [longWay]), first);
      });
    }

    it('304: answer the same to the byte', async () => {
      const etag = new Map((await get('/api/prompts', [])).headers).get('etag');
      const first = await get('/api/prompts', [longWay, `If-None-Match: ${etag}`]);
      assert.equal(first.status, 304);
      assert.deepEqual(await get('/api/prompts', [`If-None-Match: ${etag}`]), first);
    });

    it('count the same, and log the same', async () => {
      await service.ctx.recorder.flush();
      const calls = async () => {
        await service.ctx.recorder.flush();
        const { body } = await call(service, 'GET', '/api/stats', { key: account.token });
        const { byRoute } = body as { byRoute: { route: string; calls: number }[] };
        return byRoute.find(({ route }) => route === 'GET /api/prompts/{name}')?.calls ?? 0;
      };
      const before = await calls();
      await get('/api/prompts/folder%2Fgreeting', []);
      await get('/api/prompts/folder%2Fgreeting', [longWay]);
      assert.equal(await calls(), before + 2);
      const lines = service.logs().match(/.*"route":"\/api\/prompts\/:name","status":200.*"account":"u_.*/g) ?? [];
      assert.ok(lines.length >= 2);
    });

    it('401: a key that is reset is refused by both', async () => {
      const old = account.token;
      const { body } = await call(service, 'DELETE', '/api/auth/token', { key: old });
      for (const path of ['/api/auth/token', '/api/prompts', '/api/prompts/folder%2Fgreeting']) {
        assert.equal((await get(path, [])).status, 401);
        assert.equal((await get(path, [longWay])).status, 401);
      }
      account = { ...account, token: (body as { token: string }).token };
      assert.equal((await get('/api/prompts', [])).status, 200);
    });
  });
}
