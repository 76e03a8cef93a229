import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { register, signIn, type TestAccount } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { type RawResponse, sendRawInOrder } from '../support/raw.ts';
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
const targets = [
  '*',
  'http://evil.example/healthz',
  '//evil.example/healthz',
  '/%',
  '/api/prompts/%00',
  '/api/prompts/%ff',
  '/api/prompts/..',
  '/\u00ff',
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

type Actor = 'nobody' | 'session' | 'key';

/**
 * Returns the caller that sends all bodies. A few are enough for the others, because a body is read in the same way whoever sends it, or
 * not at all.
 */
function readerOf(method: string, security: object[]): Actor {
  if (security.length === 0) return 'nobody';
  return security.some((each) => 'key' in each) && method !== 'delete' ? 'key' : 'session';
}

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
    let routes: { method: string; path: string; reader: Actor }[];
    before(async () => {
      service = await startService({ engine });
      account = await register(service);
      cookie = await signIn(service, account);
      const { paths } = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
        paths: Record<string, Record<string, { security: object[] }>>;
      };
      routes = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { security }]) => ({
          method: method.toUpperCase(),
          path: path.replaceAll(/\{\w+\}/g, 'x'),
          reader: readerOf(method, security),
        })),
      );
    });
    after(() => service.close());

    /** The headers of each kind of caller. Requests with the cookie lack the service's origin, so they cannot end the session. */
    const actors = (): Record<Actor, string> => ({
      nobody: '',
      session: `cookie: ${cookie}\r\n`,
      key: `authorization: Bearer ${account.token}\r\n`,
    });

    interface HostileRequest {
      name: string;
      target: string;
      lines: string;
      body?: string;
    }

    /** Sends requests on one connection, because connections take most of the time. */
    async function send(method: string, requests: HostileRequest[]): Promise<RawResponse[]> {
      const bytes = requests.map(({ target, lines, body = '' }, index) => {
        const connection = index === requests.length - 1 ? 'connection: close\r\n' : '';
        const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
        return Buffer.from(`${method} ${target} HTTP/1.1\r\nhost: x\r\n${connection}${lines}${length}\r\n${body}`, 'latin1');
      });
      const responses = await sendRawInOrder(service, bytes);
      assert.equal(responses.length, requests.length, `${method} ${requests[0]?.target}`);
      for (const [index, { name, target }] of requests.entries()) {
        assertDecent(responses[index] as RawResponse, `${name}: ${method} ${target}`);
      }
      return responses;
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
      for (const { method, path, reader } of routes) {
        for (const [actor, credentials] of Object.entries(actors())) {
          if (method === 'DELETE' && actor === 'key') continue;
          // An event stream does not end, so it is not requested here.
          if (path === '/api/events' && actor !== 'nobody') continue;
          const own = actor === 'session' && path !== '/api/session/sign-out' && path !== '/api/auth/token' ? 'origin: http://x\r\n' : '';
          const lines = `${credentials}${own}content-type: application/json\r\n`;
          const sent = actor === reader && method !== 'GET' ? bodies : bodies.slice(0, 3);
          await send(
            method,
            sent.map(([name, body]) => ({ name, target: path, lines, body })),
          );
        }
      }
    });

    it('no response is a 500, names a library or shows a stack: paths', async () => {
      for (const { method, path } of routes) {
        await send(
          method,
          paths.map((suffix) => ({ name: 'address', target: path + suffix, lines: '' })),
        );
      }
      for (const method of ['GET', 'OPTIONS', 'DELETE']) {
        await send(
          method,
          targets.map((target) => ({ name: 'address', target, lines: 'authorization: Bearer x\r\n' })),
        );
      }
    });

    it('no response is a 500, names a library or shows a stack: headers', async () => {
      for (const { method, path } of routes) {
        await send(
          method,
          headers.map((header) => ({ name: header.slice(0, 40), target: path, lines: `${header}\r\n` })),
        );
      }
    });

    it('afterwards, the service works as before', async () => {
      const lines = `authorization: Bearer ${account.token}\r\n`;
      const [verified] = await send('GET', [{ name: 'verify', target: '/api/auth/token', lines }]);
      assert.equal(verified?.status, 200);
      assert.equal(await service.ctx.store.accounts.count(), 1);
      assert.doesNotMatch(service.logs(), /"level":50/);
    });
  });
}
