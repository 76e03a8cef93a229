import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, register, signIn } from '../../support/client.ts';
import { freezeClock } from '../../support/clock.ts';
import { sqlite } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

// One engine is enough, because neither the limits nor the addresses of requests depend on the database.
describe('RATE_LIMIT_PER_MINUTE=3', () => {
  let service: Service;
  before(async () => {
    service = await startService({ engine: sqlite, env: { RATE_LIMIT_PER_MINUTE: '3' } });
  });
  after(() => service.close());

  it('429 with Retry-After: the fourth call of a key within a minute, on any endpoint; the next minute starts at zero', async (t) => {
    const { token } = await register(service);
    const clock = freezeClock(t, Date.UTC(2030, 0, 1, 12, 0, 15));
    for (const path of ['/api/auth/token', '/api/prompts', '/api/session']) {
      assert.equal((await call(service, 'GET', path, { key: token })).status, 200);
    }
    const response = await call(service, 'GET', '/api/prompts', { key: token });
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), '45');
    assert.deepEqual(response.body, { error: 'Too many requests with this key. Try again later.', code: 'rate_limited' });

    clock.advance(45_000);
    assert.equal((await call(service, 'GET', '/api/prompts', { key: token })).status, 200);
  });

  it('has RateLimit headers: what is left of each limit that the call counts to, and none where no limit counts', async (t) => {
    const account = await register(service);
    const key = account.token;
    freezeClock(t, Date.UTC(2030, 0, 1, 12, 0, 15));
    const limitsOf = ({ headers }: { headers: Headers }) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];
    assert.deepEqual(limitsOf(await call(service, 'GET', '/api/prompts', { key })), ['"calls";q=3;w=60', '"calls";r=2;t=45']);
    assert.deepEqual(limitsOf(await call(service, 'GET', '/api/auth/token', { key })), ['"calls";q=3;w=60', '"calls";r=1;t=45']);
    await call(service, 'GET', '/api/prompts', { key });
    assert.deepEqual(limitsOf(await call(service, 'GET', '/api/prompts', { key })), ['"calls";q=3;w=60', '"calls";r=0;t=45']);
    assert.deepEqual(limitsOf(await call(service, 'GET', '/api/prompts', { cookie: await signIn(service, account) })), [null, null]);
    assert.deepEqual(limitsOf(await call(service, 'GET', '/api/prompts', { key: 'unknown' })), [null, null]);
  });

  it('429: a reset of the key does not reset the count, which is per account', async (t) => {
    const { token } = await register(service);
    freezeClock(t);
    const reset = async (key: string) => ((await call(service, 'DELETE', '/api/auth/token', { key })).body as { token: string }).token;
    const last = await reset(await reset(await reset(token)));
    assert.equal((await call(service, 'GET', '/api/auth/token', { key: last })).status, 429);
  });

  it('200: other accounts, the browser and sign-ins are not limited', async (t) => {
    const account = await register(service);
    const other = await register(service);
    freezeClock(t);
    for (let count = 0; count < 4; count += 1) await call(service, 'GET', '/api/prompts', { key: account.token });
    assert.equal((await call(service, 'GET', '/api/prompts', { key: other.token })).status, 200);
    const cookie = await signIn(service, account);
    for (let count = 0; count < 5; count += 1) assert.equal((await call(service, 'GET', '/api/prompts', { cookie })).status, 200);
  });
});

describe('WRITE_LIMIT_PER_MINUTE=3', () => {
  let service: Service;
  before(async () => {
    service = await startService({ engine: sqlite, env: { WRITE_LIMIT_PER_MINUTE: '3' } });
  });
  after(() => service.close());

  async function useUp(key: string): Promise<void> {
    for (const name of ['a', 'b', 'c']) {
      assert.equal((await call(service, 'POST', '/api/prompts', { key, body: { name, template: 'Hello {{ x }}' } })).status, 201);
    }
  }

  it('429 with Retry-After: the fourth change of an account within a minute; the next minute starts at zero', async (t) => {
    const { token: key } = await register(service);
    const clock = freezeClock(t, Date.UTC(2030, 0, 1, 12, 0, 15));
    await useUp(key);
    const refused: [string, string, object?][] = [
      ['POST', '/api/prompts', { name: 'd', template: 'x' }],
      ['POST', '/api/prompts/batch', { items: [{ name: 'd', template: 'x' }] }],
      ['PUT', '/api/prompts/a/labels/staging', { version: 1 }],
      ['DELETE', '/api/prompts/a'],
      ['DELETE', '/api/auth/token'],
      ['POST', '/api/public/v2/prompts', { name: 'd', prompt: 'x' }],
    ];
    for (const [method, path, body] of refused) {
      const response = await call(service, method, path, { key, ...(body && { body }) });
      assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '45'], `${method} ${path}`);
      if (!path.startsWith('/api/public'))
        assert.match(response.text, /"error":"This account made too many changes.*"code":"rate_limited"/);
    }
    clock.advance(45_000);
    assert.equal((await call(service, 'POST', '/api/prompts', { key, body: { name: 'd', template: 'x' } })).status, 201);
  });

  it('has RateLimit headers for changes, and none for calls that are not counted', async (t) => {
    const { token: key } = await register(service);
    freezeClock(t, Date.UTC(2030, 0, 1, 12, 0, 15));
    const { headers } = await call(service, 'POST', '/api/prompts', { key, body: { name: 'a', template: 'x' } });
    assert.equal(headers.get('ratelimit-policy'), '"changes";q=3;w=60');
    assert.equal(headers.get('ratelimit'), '"changes";r=2;t=45');
    assert.equal((await call(service, 'GET', '/api/prompts/a', { key })).headers.get('ratelimit'), null);
  });

  it('200: verification, reads and renders are never limited, and neither are other accounts', async (t) => {
    const account = await register(service);
    const other = await register(service);
    const key = account.token;
    freezeClock(t);
    await useUp(key);
    for (let count = 0; count < 5; count += 1) {
      for (const path of ['/api/auth/token', '/api/prompts', '/api/prompts/a', '/api/export', '/api/stats']) {
        assert.equal((await call(service, 'GET', path, { key })).status, 200, path);
      }
      for (const path of ['/api/prompts/a/render', '/api/render']) {
        const body = { variables: { x: 1 }, ...(path === '/api/render' && { template: '{{ x }}' }) };
        assert.equal((await call(service, 'POST', path, { key, body })).status, 200, path);
      }
    }
    assert.equal((await call(service, 'POST', '/api/prompts', { key: other.token, body: { name: 'a', template: 'x' } })).status, 201);
  });

  it('429: changes in the browser and by assistants count too', async (t) => {
    const account = await register(service);
    freezeClock(t);
    await useUp(account.token);
    const cookie = await signIn(service, account);
    const headers = { origin: service.url };
    const saved = await call(service, 'POST', '/api/prompts', { cookie, headers, body: { name: 'd', template: 'x' } });
    assert.equal(saved.status, 429, saved.text);
    const callTool = (name: string, input: object) =>
      call(service, 'POST', '/mcp', {
        key: account.token,
        headers: { accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
      });
    assert.equal((await callTool('list_prompts', {})).status, 200);
    assert.equal((await callTool('move_label', { name: 'a', label: 'staging', version: 1 })).status, 429);
  });
});

describe('TRUST_PROXY', () => {
  /** Returns the address with which a failed sign-in is logged and throttled. */
  async function addressSeen(trustProxy: string, forwarded: string): Promise<string | undefined> {
    const service = await startService({ engine: sqlite, env: { TRUST_PROXY: trustProxy } });
    try {
      const body = { email: 'nobody@example.com', password: 'wrong' };
      await call(service, 'POST', '/api/auth/token', { body, headers: { 'x-forwarded-for': forwarded } });
      return /"event":"sign_in_failed","address":"([^"]*)"/.exec(service.logs())?.[1];
    } finally {
      await service.close();
    }
  }

  const cases: [string, string, string][] = [
    ['', '203.0.113.7', '127.0.0.1'],
    ['false', '203.0.113.7', '127.0.0.1'],
    ['0', '203.0.113.7', '127.0.0.1'],
    ['1', '203.0.113.7', '203.0.113.7'],
    ['1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['2', '192.0.2.1, 198.51.100.1, 203.0.113.7', '198.51.100.1'],
    ['127.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['127.0.0.0/8, 203.0.113.0/24', '198.51.100.1, 203.0.113.7', '198.51.100.1'],
    ['10.0.0.0/8', '203.0.113.7', '127.0.0.1'],
    ['true', '198.51.100.1, 203.0.113.7', '198.51.100.1'],
  ];
  for (const [trustProxy, forwarded, expected] of cases) {
    it(`ASVS 4.1.3: "${trustProxy}" takes "${forwarded}" for ${expected}`, async () => {
      assert.equal(await addressSeen(trustProxy, forwarded), expected);
    });
  }

  it('ASVS 4.1.3: a forwarded host or scheme counts for our own origin only with TRUST_PROXY', async (t) => {
    for (const [trustProxy, status] of [
      ['false', 403],
      ['1', 204],
    ] as const) {
      const service = await startService({ engine: sqlite, env: { TRUST_PROXY: trustProxy } });
      t.after(() => service.close());
      const headers = { origin: 'https://prompts.example.com', 'x-forwarded-host': 'prompts.example.com', 'x-forwarded-proto': 'https' };
      assert.equal((await call(service, 'POST', '/api/session/sign-out', { headers })).status, status);
    }
  });
});
