import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { register, signIn, type TestAccount } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { type RawResponse, sendRaw } from '../support/raw.ts';
import { type Service, startService } from '../support/service.ts';

const surrogate = '\\ud800';
const bodies: [string, string][] = [
  ['nothing', ''],
  ['null', 'null'],
  ['not JSON', '{"email"'],
  ['a number', '1e999'],
  ['a text', '"x"'],
  ['a list', '[[[]]]'],
  ['NUL in every field', '{"email":"\\u0000","password":"\\u0000","name":"\\u0000","currentPassword":"\\u0000","newPassword":"\\u0000"}'],
  ['half characters', `{"email":"${surrogate}@example.com","password":"${surrogate}","name":"${surrogate}"}`],
  ['half characters in a change', `{"currentPassword":"${surrogate}","newPassword":"${surrogate}${'x'.repeat(10)}"}`],
  ['an operator for a text', '{"email":{"$ne":null},"password":{"$ne":null}}'],
  ['numbers for texts', '{"email":1,"password":2,"name":3}'],
  ['booleans', '{"email":true,"password":false}'],
  ['a prototype', '{"__proto__":{"email":"a@example.com"},"constructor":{"prototype":{}}}'],
  ['SQL', `{"email":"' or 1=1; drop table accounts; --","password":"' or '1'='1"}`],
  ['long texts', `{"email":"${'a'.repeat(5000)}@example.com","password":"${'b'.repeat(5000)}"}`],
  ['deep nesting', `${'['.repeat(5000)}${']'.repeat(5000)}`],
];
const paths = [
  '',
  '?',
  '?a=%00&a=%00',
  '?__proto__[x]=1&constructor=2',
  '?limit=-1&cursor=%27%20or%201=1&limit=1e99',
  `?x=${'y'.repeat(8000)}`,
  '?%ff=%ff',
  '/..%2f..%2fetc%2fpasswd',
  '%00',
  '%2e%2e/',
  '//',
  ';x=1',
  '#x',
];
const headers = [
  'authorization: Bearer ph_\u00ff',
  `authorization: Bearer ${'x'.repeat(10_000)}`,
  'authorization:',
  'cookie: promptharbor.session=%00; promptharbor.session=%ff.%ff; ;;=;',
  `cookie: ${'a=b; '.repeat(1500)}`,
  'x-forwarded-for: not-an-address\r\nx-forwarded-host: \u00ff\r\nx-forwarded-proto: javascript',
  'host: [::1\r\norigin: http://[::1',
  'if-none-match: "\u00ff\r\nif-modified-since: never\r\nrange: bytes=-1',
  'accept: \u00ff\r\naccept-encoding: \u00ff\r\naccept-language: \u00ff',
  `user-agent: ${'\u00ff'.repeat(2000)}`,
  'content-encoding: gzip',
];

interface ErrorText {
  error: string | { message?: unknown };
  message?: unknown;
  errorDetails?: unknown;
}

for (const engine of engines) {
  describe(`Hostile input to every route (${engine.name})`, () => {
    let service: Service;
    let account: TestAccount;
    let cookie: string;
    let routes: [string, string][];
    before(async () => {
      service = await startService({ engine });
      account = await register(service);
      cookie = await signIn(service, account);
      const { paths } = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
        paths: Record<string, Record<string, unknown>>;
      };
      routes = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method): [string, string] => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x')]),
      );
    });
    after(() => service.close());

    /**
     * The headers of each kind of caller. Requests with the cookie lack the service's origin, so they cannot end the session.
     */
    const actors = () => ['', `cookie: ${cookie}\r\n`, `authorization: Bearer ${account.token}\r\n`];

    async function send(name: string, method: string, target: string, lines: string, body = ''): Promise<RawResponse> {
      const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
      const request = `${method} ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${lines}${length}\r\n${body}`;
      const responses = await sendRaw(service, Buffer.from(request, 'latin1'));
      const [response, ...others] = responses;
      assert.ok(response && others.length === 0, `${name}: ${method} ${target}: ${responses.length} responses`);
      assertDecent(response, `${name}: ${method} ${target}`);
      return response;
    }

    function assertDecent({ status, headers, text }: RawResponse, name: string): void {
      assert.ok(status < 500, `${name}: ${status} ${text}`);
      assert.ok(headers['x-request-id'], name);
      assert.doesNotMatch(text, /node_modules|\bat .*:\d+:\d+|select |insert |SQLITE|TypeError|FST_/i, name);
      if (status < 400) return;
      // In Langfuse's errors, the message is next to `error`. In JSON-RPC errors, it is inside `error`. OpenFeature has `errorDetails`.
      const { error, message, errorDetails } = JSON.parse(text) as ErrorText;
      assert.equal(typeof (errorDetails ?? message ?? (typeof error === 'object' ? error.message : error)), 'string', name);
    }

    it('no response is a 500, names a library or shows a stack: bodies', async () => {
      for (const [method, path] of routes) {
        // A few bodies are enough for a GET, whose body is not read.
        for (const [name, body] of method === 'GET' ? bodies.slice(0, 3) : bodies) {
          for (const actor of actors()) {
            if (method === 'DELETE' && actor.startsWith('authorization')) continue;
            // An event stream does not end, so it is not requested here.
            if (path === '/api/events' && actor !== '') continue;
            const own =
              actor.startsWith('cookie') && path !== '/api/session/sign-out' && path !== '/api/auth/token' ? 'origin: http://x\r\n' : '';
            await send(name, method, path, `${actor}${own}content-type: application/json\r\n`, body);
          }
        }
      }
    });

    it('no response is a 500, names a library or shows a stack: paths', async () => {
      for (const [method, path] of routes) {
        for (const suffix of paths) await send('address', method, path + suffix, '');
      }
      for (const target of [
        '*',
        'http://evil.example/healthz',
        '//evil.example/healthz',
        '/%',
        '/api/prompts/%00',
        '/api/prompts/%ff',
        '/api/prompts/..',
        '/\u00ff',
      ]) {
        for (const method of ['GET', 'OPTIONS', 'DELETE']) await send('address', method, target, `authorization: Bearer ${'x'}\r\n`);
      }
    });

    it('no response is a 500, names a library or shows a stack: headers', async () => {
      for (const [method, path] of routes) {
        for (const header of headers) await send(header.slice(0, 40), method, path, `${header}\r\n`);
      }
    });

    it('afterwards, the service works as before', async () => {
      const { status } = await send('verify', 'GET', '/api/auth/token', `authorization: Bearer ${account.token}\r\n`);
      assert.equal(status, 200);
      assert.equal(await service.ctx.store.accounts.count(), 1);
      assert.doesNotMatch(service.logs(), /"level":50/);
    });
  });
}
