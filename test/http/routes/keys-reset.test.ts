import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { type ApiResponse, call, type RequestOptions, register, signIn } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { newClient } from '../../support/prompts.ts';
import { nextData, sendRawOnce } from '../../support/raw.ts';
import { retryUntil } from '../../support/retry.ts';
import { type Service, startService } from '../../support/service.ts';

for (const engine of engines) {
  describe(`DELETE /api/auth/token (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    const verify = async (key: string) => (await call(service, 'GET', '/api/auth/token', { key })).status;

    it('200: returns the new key and nothing else, not to be cached', async () => {
      const { token } = await register(service);
      const response = await call(service, 'DELETE', '/api/auth/token', { key: token });
      assert.equal(response.status, 200);
      assert.match(response.text, /^\{"token":"ph_[0-9a-f]{64}"\}$/);
      assert.notEqual((response.body as { token: string }).token, token);
      assert.equal(response.headers.get('cache-control'), 'no-store');
    });

    it('ASVS 8.3.2: refuses the old key on the next request, everywhere, and accepts the new one', async () => {
      const { token } = await register(service);
      const response = await call(service, 'DELETE', '/api/auth/token', { key: token });
      const next = (response.body as { token: string }).token;
      for (const [method, path] of [
        ['GET', '/api/auth/token'],
        ['DELETE', '/api/auth/token'],
        ['GET', '/api/prompts'],
        ['GET', '/api/session'],
      ] as const) {
        const refused = await call(service, method, path, { key: token });
        assert.equal(refused.status, 401, `${method} ${path}`);
        assert.equal(refused.text, '{"error":"Unauthorized"}');
      }
      assert.equal(await verify(next), 200);
    });

    it('ASVS 8.3.2: refuses a request whose body arrives after the reset', async (t) => {
      const { token } = await register(service);
      const findAccount = t.mock.method(service.ctx.store.keys, 'findAccount');
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      t.after(() => socket.destroy());
      const body = JSON.stringify({ name: 'Back door', role: 'admin' });
      socket.write(
        `POST /api/members/service-accounts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      await retryUntil('the request is not authenticated', async () => findAccount.mock.callCount() > 0);
      assert.ok(await findAccount.mock.calls[0]?.result);
      assert.equal((await call(service, 'DELETE', '/api/auth/token', { key: token })).status, 200);
      socket.write(body);
      assert.match((await nextData(socket)).toString(), /^HTTP\/1\.1 401 /);
    });

    it('200: any content type is accepted without a body, and with an empty one', async () => {
      for (const type of ['application/json', 'text/plain', 'none at all']) {
        for (const empty of ['', 'content-length: 0\r\n']) {
          const { token } = await newClient(service);
          const head = `DELETE /api/auth/token HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${token}\r\n`;
          const response = await sendRawOnce(service, `${head}content-type: ${type}\r\n${empty}\r\n`);
          assert.equal(response.status, 200, `${type} ${empty}`);
        }
      }
    });

    it('200: an empty JSON body in chunks is accepted', async () => {
      const { token } = await newClient(service);
      const head = `DELETE /api/auth/token HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${token}\r\n`;
      const response = await sendRawOnce(service, `${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`);
      assert.equal(response.status, 200);
    });

    /** Sends resets that have all been authenticated before the first one changes anything. */
    async function resetAtOnce(t: TestContext, count: number, options: RequestOptions): Promise<ApiResponse[]> {
      const { keys } = service.ctx.store;
      const replace = keys.replace;
      let arrived = 0;
      t.mock.method(keys, 'replace', async (...parameters: Parameters<typeof replace>) => {
        arrived += 1;
        await retryUntil(`${arrived} of ${count} resets have passed the authentication`, () => arrived === count);
        return replace(...parameters);
      });
      return Promise.all(Array.from({ length: count }, () => call(service, 'DELETE', '/api/auth/token', options)));
    }

    it('16 concurrent resets with one key: exactly one 200, fifteen 401', async (t) => {
      const { token, email, password } = await register(service);
      const responses = await resetAtOnce(t, 16, { key: token });
      const [winner, ...others] = responses.filter(({ status }) => status === 200);
      assert.ok(winner && others.length === 0);
      assert.equal(responses.filter(({ status, text }) => status === 401 && text === '{"error":"Unauthorized"}').length, 15);
      const { token: next } = winner.body as { token: string };
      assert.equal(await verify(token), 401);
      assert.equal(await verify(next), 200);
      const login = await call(service, 'POST', '/api/auth/token', { body: { email, password } });
      assert.equal((login.body as { token: string }).token, next);
    });

    it('4 concurrent resets by cookie: exactly one 200, three 409', async (t) => {
      const cookie = await signIn(service, await register(service));
      const responses = await resetAtOnce(t, 4, { cookie, headers: { origin: service.url } });
      const [winner, ...others] = responses.filter(({ status }) => status === 200);
      assert.ok(winner && others.length === 0);
      assert.equal(responses.filter(({ status, body }) => status === 409 && (body as { code: string }).code === 'key_changed').length, 3);
      assert.equal(await verify((winner.body as { token: string }).token), 200);
    });

    it('200: by cookie from our own pages; the session stays', async () => {
      const account = await register(service);
      const cookie = await signIn(service, account);
      for (const [name, value] of [
        ['origin', service.url],
        ['sec-fetch-site', 'same-origin'],
      ] as const) {
        const headers = { [name]: value };
        const response = await call(service, 'DELETE', '/api/auth/token', { cookie, headers });
        assert.equal(response.status, 200);
        assert.equal(await verify((response.body as { token: string }).token), 200);
      }
      assert.equal(await verify(account.token), 401);
      assert.equal((await call(service, 'GET', '/api/session', { cookie })).status, 200);
    });

    it('ASVS 3.5.1: 403: by cookie from anywhere else, and the key stays', async () => {
      const account = await register(service);
      const cookie = await signIn(service, account);
      const foreign: Record<string, string>[] = [
        {},
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${service.url}.evil.example` },
        { origin: service.url.replace('http:', 'https:') },
        { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      ];
      for (const headers of foreign) {
        const response = await call(service, 'DELETE', '/api/auth/token', { cookie, headers });
        assert.equal(response.status, 403, JSON.stringify(headers));
        assert.deepEqual(response.body, {
          error: 'Requests from other origins cannot make changes with a session cookie',
          code: 'cross_origin',
        });
      }
      assert.equal(await verify(account.token), 200);
    });

    it('401: without a key', async () => {
      const response = await call(service, 'DELETE', '/api/auth/token');
      assert.equal(response.status, 401);
      assert.equal(response.text, '{"error":"Unauthorized"}');
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
    });

    it('ASVS 16.3.1: a reset is logged, without the keys', async () => {
      const { token, userId } = await register(service);
      const before = service.logs().length;
      await call(service, 'DELETE', '/api/auth/token', { key: token });
      const logs = service.logs().slice(before);
      assert.match(logs, new RegExp(`"event":"key_reset","account":"${userId}"`));
      assert.doesNotMatch(logs, /ph_[0-9a-f]{64}/);
    });
  });

  describe(`GET /api/prompts, authentication (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    it('200: an empty list for a new account, by key with a content type and by cookie', async () => {
      const account = await register(service);
      const cookie = await signIn(service, account);
      for (const options of [{ key: account.token, headers: { 'content-type': 'application/json' } }, { cookie }]) {
        const response = await call(service, 'GET', '/api/prompts', options);
        assert.equal(response.status, 200);
        assert.deepEqual(response.body, { data: [], nextCursor: null });
      }
    });

    it('401: without a key, with a wrong key, with a wrong cookie', async () => {
      for (const options of [{}, { key: `ph_${'0'.repeat(64)}` }, { cookie: 'promptharbor.session=x.y' }]) {
        const response = await call(service, 'GET', '/api/prompts', options);
        assert.equal(response.status, 401);
        assert.equal(response.text, '{"error":"Unauthorized"}');
        assert.equal(response.headers.get('www-authenticate'), 'Bearer');
      }
    });
  });
}
