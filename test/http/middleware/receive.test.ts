import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import { call, register } from '../../support/client.ts';
import { sendRaw, sendRawOnce } from '../../support/raw.ts';
import { retryUntil } from '../../support/retry.ts';
import { type Service, startService } from '../../support/service.ts';

interface Body {
  error: string;
  code: string;
}

const close = 'host: x\r\nconnection: close\r\n';

describe('Requests', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('404: an unknown path gets JSON, with or without a body', async () => {
    for (const [method, path] of [
      ['GET', '/api'],
      ['GET', '/api/'],
      ['GET', '/api/unknown'],
      ['POST', '/api/unknown'],
      ['DELETE', '/api/auth/token/'],
      ['GET', '/API/AUTH/TOKEN'],
      ['GET', '/api//auth/token'],
      ['PUT', '/api/auth/token/x'],
      ['PROPFIND', '/api/unknown'],
    ] as const) {
      for (const body of method === 'GET' ? [undefined] : [undefined, { a: 1 }]) {
        const response = await call(service, method, path, { body });
        assert.equal(response.status, 404, `${method} ${path}`);
        assert.deepEqual(response.body, { error: 'Not found', code: 'not_found' });
      }
    }
    const wrongType = await call(service, 'POST', '/api/unknown', { body: 'x', headers: { 'content-type': 'text/plain' } });
    assert.equal(wrongType.status, 404);
  });

  it('404: says that the slashes of a name have to be encoded', async () => {
    for (const [method, path] of [
      ['GET', '/api/prompts/support/triage'],
      ['GET', '/api/prompts/support/triage?label=staging'],
      ['DELETE', '/api/prompts/support/triage'],
      ['POST', '/api/prompts/support/triage/render'],
      ['PUT', '/api/prompts/support/triage/labels/production'],
      ['GET', '/api/public/v2/prompts/support/triage'],
    ] as const) {
      const { status, text } = await call(service, method, path);
      assert.equal(status, 404, `${method} ${path}`);
      assert.match(text, /Encode its slashes as %2F/, `${method} ${path}`);
    }
  });

  it('404: a browser gets a page at an unknown path outside the API, any other client JSON', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const open = (path: string, method = 'GET', headers: Record<string, string> = { accept }) => call(service, method, path, { headers });
    for (const path of [
      '/nowhere/at/all',
      '/docs/nowhere',
      '/docs/guides/nowhere',
      '/docs/reference.html',
      '/dashboard/assets/nowhere.js',
      '/%',
      '/dashboard/prompts/%zz?view=code',
      '/docs/%E0%A4',
    ]) {
      const page = await open(path);
      assert.equal(page.status, 404, path);
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/, path);
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/, path);
      assert.match(page.text, /<div id="root">/, path);
    }
    const withoutHtml = { accept: '*/*' };
    for (const other of [
      open('/nowhere', 'GET', withoutHtml),
      open('/docs/nowhere', 'GET', withoutHtml),
      open('/dashboard/assets/nowhere.js', 'GET', withoutHtml),
      open('/nowhere', 'POST'),
      open('/api/nowhere'),
      open('/api'),
    ]) {
      const { status, body } = await other;
      assert.equal(status, 404);
      assert.deepEqual(body, { error: 'Not found', code: 'not_found' });
    }
    for (const other of [open('/%', 'GET', withoutHtml), open('/%', 'POST'), open('/api/prompts/%')]) {
      const { status, body } = await other;
      assert.deepEqual([status, (body as { code: string }).code], [400, 'invalid_url']);
    }
  });

  it('405 with Allow: a wrong method, with or without a body, before anything else is checked', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/api/auth/token', ['DELETE', 'GET', 'HEAD', 'POST']],
      ['PATCH', '/api/auth/token', ['DELETE', 'GET', 'HEAD', 'POST']],
      ['OPTIONS', '/api/auth/token', ['DELETE', 'GET', 'HEAD', 'POST']],
      ['GET', '/api/auth/register', ['POST']],
      ['DELETE', '/api/auth/register', ['POST']],
      ['GET', '/api/session/sign-in/email', ['POST']],
      ['POST', '/api/openapi.json', ['GET', 'HEAD']],
      ['POST', '/healthz', ['GET', 'HEAD']],
      ['PROPFIND', '/api/auth/token', ['DELETE', 'GET', 'HEAD', 'POST']],
      ['QUERY', '/api/auth/register', ['POST']],
      ['PROPFIND', '/api/prompts/support%2Freply/versions/1?a=b', ['DELETE', 'GET', 'HEAD']],
      ['MKCOL', '/api/prompts/batch', ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST']],
      ['PURGE', '/dashboard/prompts/support/reply', ['GET', 'HEAD']],
    ] as const) {
      const type = 'content-type: text/plain\r\ncontent-length: 1\r\n';
      for (const request of [`${method} ${path} HTTP/1.1\r\n${close}\r\n`, `${method} ${path} HTTP/1.1\r\n${close}${type}\r\nx`]) {
        const response = await sendRawOnce(service, request);
        assert.equal(response.status, 405, `${method} ${path}`);
        assert.deepEqual((response.headers.allow ?? '').split(', ').sort(), allow, `${method} ${path}`);
        assert.equal((JSON.parse(response.text) as Body).code, 'method_not_allowed');
      }
    }
  });

  const refused: [string, string, number, string][] = [
    ['bad percent-encoding', `GET /api/%E0%A4%A HTTP/1.1\r\n${close}\r\n`, 400, 'invalid_url'],
    ['bad percent-encoding in a parameter', `DELETE /api/session/list/%ff HTTP/1.1\r\n${close}\r\n`, 400, 'invalid_url'],
    ['no HTTP', 'hello\r\n\r\n', 400, 'bad_request'],
    ['TLS on the plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'bad_request'],
    ['unknown method', `FOO / HTTP/1.1\r\n${close}\r\n`, 400, 'bad_request'],
    ['unknown version', `GET / HTTP/3.7\r\n${close}\r\n`, 400, 'bad_request'],
    ['no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'bad_request'],
    ['space before the colon', `GET /healthz HTTP/1.1\r\n${close}x : y\r\n\r\n`, 400, 'bad_request'],
    ['folded header', `GET /healthz HTTP/1.1\r\n${close}x: y\r\n z\r\n\r\n`, 400, 'bad_request'],
    ['NUL in a header', `GET /healthz HTTP/1.1\r\n${close}x: \0\r\n\r\n`, 400, 'bad_request'],
    ['over-long header', `GET /healthz HTTP/1.1\r\n${close}x: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['over-long URL', `GET /${'y'.repeat(20_000)} HTTP/1.1\r\n${close}\r\n`, 431, 'headers_too_large'],
    ['over-long parameter', `DELETE /api/session/list/${'y'.repeat(3000)} HTTP/1.1\r\n${close}\r\n`, 404, 'not_found'],
    [
      'ASVS 4.2.1: content length and chunks at once',
      `POST /api/auth/token HTTP/1.1\r\n${close}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'bad_request',
    ],
    [
      'ASVS 4.2.1: two content lengths',
      `POST /api/auth/token HTTP/1.1\r\n${close}content-length: 5\r\ncontent-length: 6\r\n\r\n12345`,
      400,
      'bad_request',
    ],
    ['ASVS 4.2.1: two hosts', `GET /healthz HTTP/1.1\r\n${close}Host: y\r\n\r\n`, 400, 'bad_request'],
    ['ASVS 4.2.1: the same host twice', `GET /healthz HTTP/1.1\r\n${close}host: x\r\n\r\n`, 400, 'bad_request'],
    ...['identity, chunked', 'gzip, chunked', 'chunked\r\ntransfer-encoding: chunked', 'identity\r\ntransfer-encoding: chunked'].map(
      (encoding): [string, string, number, string] => [
        `ASVS 4.2.1: chunks with another encoding: ${JSON.stringify(encoding)}`,
        `POST /api/auth/token HTTP/1.1\r\n${close}content-type: application/json\r\ntransfer-encoding: ${encoding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
        400,
        'bad_request',
      ],
    ),
    [
      'ASVS 4.2.1: chunks in HTTP/1.0',
      `POST /api/auth/token HTTP/1.0\r\n${close}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      400,
      'bad_request',
    ],
    ['ASVS 4.2.1: a negative length', `POST /api/auth/token HTTP/1.1\r\n${close}content-length: -1\r\n\r\n`, 400, 'bad_request'],
    [
      'ASVS 4.2.1: a bad chunk',
      `POST /api/auth/token HTTP/1.1\r\n${close}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
      400,
      'bad_request',
    ],
  ];
  for (const [name, request, status, code] of refused) {
    it(`${status} ${code}: ${name}`, async () => {
      const response = await sendRawOnce(service, request);
      assert.equal(response.status, status);
      assert.equal((JSON.parse(response.text) as Body).code, code);
      assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
      assert.match(response.headers['x-request-id'] ?? '', /^[\w.:-]+$/);
    });
  }

  it('ASVS 4.2.1: 400: an unknown transfer encoding; the bytes after it are not read as a request', async () => {
    const inner = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
    const responses = await sendRaw(
      service,
      `POST /api/auth/token HTTP/1.1\r\n${close}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`,
    );
    // There may be two responses, because the route may have refused the request before the parser did.
    assert.equal(responses.at(-1)?.status, 400);
    for (const { status } of responses) assert.ok(status >= 400);
  });

  it('ASVS 4.2.1: 400 and the connection is closed: two hosts, even with a valid key; the next request on it is not read', async () => {
    const { token } = await register(service);
    const request = (hosts: string) => `GET /api/auth/token HTTP/1.1\r\n${hosts}authorization: Bearer ${token}\r\n\r\n`;
    const responses = await sendRaw(service, request('host: x\r\nHOST: y\r\n'));
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers.connection]),
      [[400, 'close']],
    );
    assert.equal((await sendRawOnce(service, request('host: x\r\nconnection: close\r\n'))).status, 200);
  });

  it('ASVS 4.2.1: 401: two Authorization headers, even if both are valid', async () => {
    const { token } = await register(service);
    const header = `authorization: Bearer ${token}\r\n`;
    for (const headers of [header + header, `${header}Authorization: Bearer x\r\n`, `authorization: Bearer x\r\n${header}`]) {
      const response = await sendRawOnce(service, `GET /api/auth/token HTTP/1.1\r\n${close}${headers}\r\n`);
      assert.equal(response.status, 401);
      assert.equal(response.text, '{"error":"Unauthorized"}');
    }
  });

  it('200: HTTP/1.0 without a host', async () => {
    const { token } = await register(service);
    const response = await sendRawOnce(service, `GET /api/auth/token HTTP/1.0\r\nauthorization: Bearer ${token}\r\n\r\n`);
    assert.equal(response.status, 200);
  });

  it('pipelined requests each get their response, in order', async () => {
    const { token } = await register(service);
    const one = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`;
    const responses = await sendRaw(
      service,
      one('/api/auth/token', `authorization: Bearer ${token}\r\nx-request-id: first\r\n`) +
        one('/api/auth/token', 'x-request-id: second\r\n') +
        one('/healthz', 'x-request-id: third\r\n') +
        one('/nowhere', 'x-request-id: fourth\r\nconnection: close\r\n'),
    );
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers['x-request-id']]),
      [
        [200, 'first'],
        [401, 'second'],
        [200, 'third'],
        [404, 'fourth'],
      ],
    );
  });

  it('200: an Expect header other than 100-continue and an Upgrade header are ignored', async () => {
    for (const header of ['expect: 200-ok', 'upgrade: websocket\r\nsec-websocket-version: 13']) {
      const response = await sendRawOnce(service, `GET /healthz HTTP/1.1\r\n${close}${header}\r\n\r\n`);
      assert.equal(response.status, 200, header);
      assert.ok(response.headers['x-request-id']);
    }
  });

  it('ASVS 16.5.1: 500 without any detail for an unexpected error, which is logged with the request id', async (t) => {
    const { token } = await register(service);
    t.mock.method(service.ctx.store.accounts, 'findProfile', async () => {
      throw new TypeError('secret detail of a bug');
    });
    const id = 'unexpected-error';
    const response = await call(service, 'GET', '/api/account', { key: token, headers: { 'x-request-id': id } });
    assert.equal(response.status, 500);
    assert.deepEqual(response.body, { error: new AppError('internal').message, code: 'internal' });
    const logged = service
      .logs()
      .split('\n')
      .filter((line) => line.includes(`"id":"${id}"`) && line.includes('secret detail of a bug'));
    assert.equal(logged.length, 1);
  });

  it('ASVS 15.2.2: slow clients are disconnected: request, header and connection timeouts are set, and checked every second', async () => {
    const { requestTimeout, headersTimeout, keepAliveTimeout } = service.server;
    assert.deepEqual(
      { requestTimeout, headersTimeout, keepAliveTimeout },
      { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 72_000 },
    );
    const connected = once(service.server, 'connection');
    const { hostname, port } = new URL(service.url);
    const client = connect(Number(port), hostname);
    client.write('POST /api/auth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n');
    const [socket] = (await connected) as [Socket];
    await retryUntil('it has no timeout', () => socket.timeout === 60_000);
    client.destroy();
    // Node stores this timer under a private symbol.
    const checked = Object.getOwnPropertySymbols(service.server).find(
      (symbol) => symbol.description === 'http.server.connectionsCheckingInterval',
    );
    const timer = checked && (Reflect.get(service.server, checked) as { _repeat?: number } | undefined);
    assert.equal(timer?._repeat, 1000);
  });
});
