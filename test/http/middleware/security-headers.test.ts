import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, register } from '../../support/client.ts';
import { sendRawOnce } from '../../support/raw.ts';
import { type Service, startService } from '../../support/service.ts';

const close = 'host: x\r\nconnection: close\r\n';

/** A request for each kind of response, including those that never reach a route. */
const kinds: [string, string, number][] = [
  ['success', `GET /healthz HTTP/1.1\r\n${close}\r\n`, 200],
  ['HEAD', `HEAD /healthz HTTP/1.1\r\n${close}\r\n`, 200],
  ['no content', `POST /api/session/sign-out HTTP/1.1\r\n${close}sec-fetch-site: same-origin\r\n\r\n`, 204],
  ['invalid', `POST /api/auth/token HTTP/1.1\r\n${close}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`, 400],
  ['unauthorized', `GET /api/auth/token HTTP/1.1\r\n${close}\r\n`, 401],
  ['cross-origin', `POST /api/session/sign-out HTTP/1.1\r\n${close}\r\n`, 403],
  ['unknown path', `GET /nowhere HTTP/1.1\r\n${close}\r\n`, 404],
  ['wrong method', `PUT /api/auth/token HTTP/1.1\r\n${close}\r\n`, 405],
  ['too large', `POST /api/auth/token HTTP/1.1\r\n${close}content-type: application/json\r\ncontent-length: 99999999\r\n\r\n`, 413],
  ['wrong type', `POST /api/auth/token HTTP/1.1\r\n${close}content-type: text/plain\r\ncontent-length: 1\r\n\r\nx`, 415],
  ['bad address', `GET /%ff HTTP/1.1\r\n${close}\r\n`, 400],
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['long header', `GET / HTTP/1.1\r\n${close}x: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
];

describe('Headers of every response', () => {
  let service: Service;
  let secure: Service;
  before(async () => {
    service = await startService();
    secure = await startService({ env: { PUBLIC_URL: 'https://prompts.example.com' } });
  });
  after(async () => {
    await service.close();
    await secure.close();
  });

  for (const [name, request, status] of kinds) {
    it(`ASVS 3.4.3, 3.4.4, 3.4.5, 3.4.6: ${status} ${name}: request id, policy, no sniffing, no framing, no referrer`, async () => {
      const { headers, ...response } = await sendRawOnce(service, request);
      assert.equal(response.status, status);
      assert.match(headers['x-request-id'] ?? '', /^[\w.:-]{8,}$/);
      assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['strict-transport-security'], undefined, 'only under https');
      assert.equal(headers.server, undefined);
      assert.equal(headers['x-powered-by'], undefined);
      assert.equal(headers['access-control-allow-origin'], undefined);
    });

    it(`ASVS 3.4.1: ${status} ${name}: HSTS for a year under https`, async () => {
      const { headers } = await sendRawOnce(secure, request.replace('sec-fetch-site: same-origin', 'origin: https://prompts.example.com'));
      assert.equal(headers['strict-transport-security'], 'max-age=31536000');
    });
  }

  it('x-request-id: a valid one of the caller is kept, in the log too', async () => {
    for (const id of ['a', 'req-42', '4bf92f3577b34da6a3ce929d0e0e4736', 'A.b:c_d-e', 'x'.repeat(64)]) {
      const response = await call(service, 'GET', '/healthz', { headers: { 'x-request-id': id } });
      assert.equal(response.headers.get('x-request-id'), id);
      assert.ok(service.logs().includes(`"id":"${id}"`));
    }
  });

  it('x-request-id: anything else is replaced', async () => {
    for (const id of ['', 'x'.repeat(65), `ph_${'0'.repeat(64)}`, 'a b', 'a"b', '<script>', 'a,b', 'é', '{}']) {
      const response = await sendRawOnce(service, Buffer.from(`GET /healthz HTTP/1.1\r\n${close}x-request-id: ${id}\r\n\r\n`));
      assert.match(response.headers['x-request-id'] ?? '', /^[0-9a-f]{12}-[0-9a-z]+$/, id);
    }
    const twice = await sendRawOnce(service, `GET /healthz HTTP/1.1\r\n${close}x-request-id: a\r\nx-request-id: b\r\n\r\n`);
    assert.match(twice.headers['x-request-id'] ?? '', /^[0-9a-f]{12}-[0-9a-z]+$/);
  });

  it('x-request-id: differs between requests', async () => {
    const ids = new Set<string | null>();
    for (let count = 0; count < 20; count += 1) ids.add((await call(service, 'GET', '/healthz')).headers.get('x-request-id'));
    assert.equal(ids.size, 20);
  });

  it('ASVS 14.3.2: no-store wherever a key is shown', async () => {
    const { email, password, token } = await register(service);
    const responses = [
      await call(service, 'POST', '/api/auth/register', { body: { email: 'cache@example.com', password } }),
      await call(service, 'POST', '/api/auth/token', { body: { email, password } }),
      await call(service, 'GET', '/api/auth/token', { key: token }),
      await call(service, 'DELETE', '/api/auth/token', { key: token }),
    ];
    for (const { text, headers } of responses) {
      assert.match(text, /ph_[0-9a-f]{64}/);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  it('ASVS 16.2.1: one log line per request with id, method, route, status, duration and account, never the path as sent', async () => {
    const { token, userId } = await register(service);
    const id = 'log-line-test';
    await call(service, 'GET', '/api/auth/token?secret=in-the-address', { key: token, headers: { 'x-request-id': id } });
    await call(service, 'GET', '/nowhere/secret-in-the-path', { headers: { 'x-request-id': id } });
    const lines = service
      .logs()
      .split('\n')
      .filter((line) => line.includes(id))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(lines.length, 2);
    const [good, unknown] = lines;
    assert.deepEqual(
      [good?.method, good?.route, good?.status, good?.account, typeof good?.durationMs],
      ['GET', '/api/auth/token', 200, userId, 'number'],
    );
    assert.deepEqual([unknown?.method, unknown?.route, unknown?.status], ['GET', 'none', 404]);
    assert.doesNotMatch(service.logs(), /in-the-(address|path)/);
  });
});
