import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import type { AccountRecord } from '../../../src/store/accounts/accounts.ts';
import { call, register, type TestAccount } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type RawResponse, sendRawOnce } from '../../support/raw.ts';
import { type Service, startService } from '../../support/service.ts';
import { countHandled } from '../../support/workspaces.ts';

for (const engine of engines) {
  describe(`GET with a key: the fast path and the route (${engine.name})`, () => {
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

    /** Returns the response without the parts that differ between two equal requests. The headers keep their order. */
    async function get(path: string, more: string[], body = ''): Promise<Omit<RawResponse, 'headers'> & { headers: [string, string][] }> {
      const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${account.token}`, 'Connection: close', ...more];
      const { headers, ...response } = await sendRawOnce(service, `${lines.join('\r\n')}\r\n\r\n${body}`);
      assert.match(headers['x-request-id'] ?? '', /^[\w-]+$/);
      return { ...response, headers: Object.entries({ ...headers, 'x-request-id': '', date: '' }) };
    }

    // The fast path leaves a request with a Content-Length, even 0, to the route.
    const viaRoute = 'Content-Length: 0';

    for (const path of [
      '/api/auth/token',
      '/api/prompts',
      '/api/prompts?include=content',
      '/api/prompts/folder%2Fgreeting',
      '/api/prompts/folder%2Fgreeting/versions',
    ]) {
      it(`200: both respond with the same bytes: ${path}`, async () => {
        const first = await get(path, [viaRoute]);
        assert.equal(first.status, 200);
        assert.deepEqual(await get(path, []), first);
        assert.deepEqual(await get(path, [viaRoute]), first);
      });
    }

    it('304: both respond with the same bytes', async () => {
      const etag = new Map((await get('/api/prompts', [])).headers).get('etag');
      const first = await get('/api/prompts', [viaRoute, `If-None-Match: ${etag}`]);
      assert.equal(first.status, 304);
      assert.deepEqual(await get('/api/prompts', [`If-None-Match: ${etag}`]), first);
    });

    const routes: Record<string, string> = {
      '/api/auth/token': '/api/auth/token',
      '/api/prompts': '/api/prompts',
      '/api/prompts/folder%2Fgreeting': '/api/prompts/:name',
    };
    for (const [path, route] of Object.entries(routes)) {
      it(`200: both count each request once and write one log line for it: ${path}`, async () => {
        const before = await callsOf(route);
        for (const [way, more] of Object.entries({ route: [viaRoute], fast: [] })) {
          const id = `${way}${route.replaceAll(/\W/g, '-')}`;
          assert.equal((await get(path, [...more, `X-Request-Id: ${id}`])).status, 200);
          const lines = logLinesOf(id);
          assert.equal(lines.length, 1, `${way}: ${lines.length} log lines`);
          const { time, durationMs, ...line } = lines[0] ?? {};
          const caller = { address: '127.0.0.1', account: account.userId };
          assert.deepEqual(line, { level: 'info', id, method: 'GET', route, status: 200, ...caller, msg: 'request' });
          assert.ok(typeof durationMs === 'number' && durationMs > 0);
          assert.equal(new Date(String(time)).toISOString(), time);
        }
        assert.equal(await callsOf(route), before + 2);
      });
    }

    async function callsOf(route: string): Promise<number> {
      await service.ctx.recorder.flush();
      const { body } = await call(service, 'GET', '/api/stats', { key: account.token });
      const name = `GET ${route.replace(':name', '{name}')}`;
      return (body as { byRoute: { route: string; calls: number }[] }).byRoute.find((entry) => entry.route === name)?.calls ?? 0;
    }

    function logLinesOf(id: string): Record<string, unknown>[] {
      const lines = service.logs().split('\n');
      return lines.filter((line) => line.includes(`"id":"${id}"`)).map((line) => JSON.parse(line) as Record<string, unknown>);
    }

    it('200: the fast path responds without a route handler, and leaves requests with a body to the route', async () => {
      assert.equal(await countHandled(() => get('/api/auth/token', [])), 0);
      assert.equal(await countHandled(() => get('/api/auth/token', [viaRoute])), 1);
      assert.equal(await countHandled(() => get('/api/auth/token', ['Transfer-Encoding: chunked'], '0\r\n\r\n')), 1);
    });

    it('200: every page of a list is cached, however large its prompts are', async () => {
      const { token: key } = await register(service);
      const list = () => call(service, 'GET', '/api/prompts?include=content', { key });
      for (let count = 1; count <= 9; count += 1) {
        const body = { name: `large-${count}`, template: 'x'.repeat(250_000) };
        assert.equal((await call(service, 'POST', '/api/prompts', { key, body })).status, 201);
      }
      assert.ok((await list()).text.length > 700_000);
      assert.equal(await countHandled(list), 0);
    });

    it('200 with Connection: close: a request that was read when the stop began is left to the route', async (t) => {
      const stopping = await startService({ engine });
      t.after(() => stopping.close());
      const { token } = await register(stopping);
      stopping.server.on('request', () => void stopping.close());
      const response = await sendRawOnce(
        stopping,
        `GET /api/auth/token HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      assert.equal(response.status, 200);
      assert.equal(response.headers.connection, 'close');
    });

    it('401: both refuse a key that was reset', async () => {
      const old = account.token;
      const { body } = await call(service, 'DELETE', '/api/auth/token', { key: old });
      for (const path of ['/api/auth/token', '/api/prompts', '/api/prompts/folder%2Fgreeting']) {
        assert.equal((await get(path, [])).status, 401);
        assert.equal((await get(path, [viaRoute])).status, 401);
      }
      account = { ...account, token: (body as { token: string }).token };
      assert.equal((await get('/api/prompts', [])).status, 200);
    });
  });
}

describe('GET with a key: a bug on the fast path', () => {
  const bug = new TypeError('secret detail of a bug');
  const buggy = new Proxy({} as AccountRecord, {
    get(_target, name) {
      // Otherwise, a promise that resolves with the proxy would treat it as a thenable.
      if (name === 'then') return undefined;
      throw bug;
    },
  });

  /** Starts a service whose key lookup returns the result of `found`, unless that is undefined. */
  async function startWith(t: TestContext, found: () => AccountRecord | Promise<AccountRecord> | undefined): Promise<Service> {
    const service = await startService({
      prepare: ({ store }) => {
        const { findAccount } = store.keys;
        store.keys.findAccount = (key, workspaceId) => found() ?? findAccount(key, workspaceId);
      },
    });
    t.after(() => service.close());
    return service;
  }

  for (const [name, found] of Object.entries({
    'in the response': () => buggy,
    'in the response, after an asynchronous lookup': async () => buggy,
    'in the lookup': () => {
      throw bug;
    },
    'in an asynchronous lookup': () => Promise.reject(bug),
  })) {
    it(`500 without any detail, logged, and the next request is served: ${name}`, async (t) => {
      let isBroken = false;
      const service = await startWith(t, () => (isBroken ? found() : undefined));
      const { token: key } = await register(service);
      isBroken = true;
      // The requests are sent together, because one that fails must not affect the others of its batch.
      const responses = await Promise.all(
        ['/api/auth/token', '/api/prompts', '/api/auth/token'].map((path) => call(service, 'GET', path, { key })),
      );
      for (const { status, text } of responses) {
        assert.equal(status, 500);
        assert.equal(text, JSON.stringify({ error: new AppError('internal').message, code: 'internal' }));
      }
      assert.equal(service.logs().split(bug.message).length > responses.length, true);
      isBroken = false;
      assert.equal((await call(service, 'GET', '/api/auth/token', { key })).status, 200);
    });
  }

  it('200: a failure to count a request is logged and concerns nobody else', async (t) => {
    const service = await startService({
      prepare: ({ recorder }) => {
        recorder.countCall = () => {
          throw bug;
        };
      },
    });
    t.after(() => service.close());
    const { token: key } = await register(service);
    for (const path of ['/api/auth/token', '/api/prompts', '/api/prompts', '/api/account']) {
      assert.equal((await call(service, 'GET', path, { key })).status, 200);
    }
    assert.match(service.logs(), /secret detail of a bug.*logging or counting requests failed/);
  });
});
