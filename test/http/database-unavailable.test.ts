import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { AppError } from '../../src/errors.ts';
import { type ApiResponse, call, type RequestOptions, register, signIn, type TestAccount } from '../support/client.ts';
import { engines, postgres } from '../support/engines.ts';
import { retryUntil } from '../support/retry.ts';
import { type Service, startService } from '../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const unknownKey = `ph_${'0'.repeat(64)}`;

type Request = [method: string, path: string, options: RequestOptions];

for (const engine of engines) {
  describe(`The database is closed (${engine.name})`, () => {
    let service: Service;
    let account: TestAccount;
    let cookie: string;
    before(async () => {
      service = await startService({ engine });
      account = await register(service);
      cookie = await signIn(service, account);
      // If the service cached keys in memory, this key would be cached now.
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: account.token })).status, 200);
      await service.ctx.store.close();
    });
    after(() => service.close());

    it('ASVS 16.5.3: 503 with Retry-After, never 200 and never 401, for every request that needs it', async () => {
      const { email, password, token: key } = account;
      const headers = { origin: service.url };
      const requests: Request[] = [
        ['GET', '/readyz', {}],
        ['GET', '/api/auth/token', { key }],
        ['GET', '/api/auth/token', { key: unknownKey }],
        ['GET', '/api/auth/token', { cookie }],
        ['DELETE', '/api/auth/token', { key }],
        ['DELETE', '/api/auth/token', { cookie, headers }],
        ['POST', '/api/auth/token', { body: { email, password } }],
        ['POST', '/api/auth/token', { body: { email, password: 'wrong' } }],
        ['POST', '/api/auth/register', { body: { email: 'new@example.com', password } }],
        ['GET', '/api/prompts', { key }],
        ['GET', '/api/prompts', { cookie }],
        ['GET', '/api/session', { cookie }],
        ['GET', '/api/session/list', { cookie }],
        ['POST', '/api/session/sign-in/email', { body: { email, password }, headers }],
        ['POST', '/api/session/sign-up/email', { body: { email: 'new@example.com', password }, headers }],
        ['POST', '/api/session/sign-out', { cookie, headers }],
        ['POST', '/api/session/end-others', { cookie, headers }],
        ['POST', '/api/session/change-password', { cookie, headers, body: { currentPassword: password, newPassword: 'another password' } }],
      ];
      for (const [method, path, options] of requests) {
        const response = await call(service, method, path, options);
        assertUnavailable(response, `${method} ${path}`);
        assert.equal(response.headers.get('retry-after'), '1');
      }
    });

    it('503 is logged as a warning without a stack, few lines for many requests', async () => {
      const before = service.logs().length;
      for (let count = 0; count < 50; count += 1) await call(service, 'GET', '/api/auth/token', { key: account.token });
      const lines = service
        .logs()
        .slice(before)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const others = lines.filter(({ msg }) => msg !== 'request' && !String(msg).includes('statistics'));
      assert.ok(others.length < 50, `${others.length} lines`);
      for (const { level, code, err } of others) assert.deepEqual([level, code, err], [40, 'database_unavailable', undefined]);
    });

    it('200 from /healthz, 401 without a key, 400 for invalid input: requests that need no database are served', async () => {
      assert.equal((await call(service, 'GET', '/healthz')).status, 200);
      assert.equal((await call(service, 'GET', '/api/auth/token')).status, 401);
      assert.equal((await call(service, 'POST', '/api/auth/token', { body: {} })).status, 400);
    });
  });
}

describe('ASVS 16.5.3: the database fails (PostgreSQL)', () => {
  let proxy: TcpProxy & { close(): void };
  let service: Service;
  let account: TestAccount;
  /** A client that is connected to the database directly, not through the proxy. */
  let operator: pg.Client;
  let removeDatabase: () => Promise<void>;

  before(async () => {
    const database = await postgres.create();
    removeDatabase = database.remove;
    operator = new pg.Client(database.env.DATABASE_URL);
    await operator.connect();
    proxy = await startTcpProxy(database.env.DATABASE_URL ?? '');
    service = await startService({ database: { ...database, env: { ...database.env, DATABASE_URL: proxy.url } } });
    account = await register(service);
  });
  after(async () => {
    await service.close();
    proxy.close();
    await operator.end();
    await removeDatabase();
  });

  const failures: Record<string, { begin(): unknown; end(): unknown }> = {
    'no connection': { begin: () => proxy.cut(), end: () => proxy.restore() },
    'no response': { begin: () => proxy.stall(), end: () => proxy.restore() },
    'a locked table': {
      begin: () => operator.query('begin; lock table accounts, meta, throttles in access exclusive mode'),
      end: () => operator.query('rollback'),
    },
    'a replica in its place': {
      begin: () => changeDatabase('set default_transaction_read_only = on'),
      end: () => changeDatabase('reset all'),
    },
    'no free connection': { begin: () => changeDatabase('connection limit 1'), end: () => changeDatabase('connection limit -1') },
  };
  for (const [name, { begin, end }] of Object.entries(failures)) {
    it(`503 with Retry-After within a bounded time for valid and unknown keys alike, and recovers by itself: ${name}`, async () => {
      await begin();
      const requests: Request[] = [
        ['GET', '/api/auth/token', { key: account.token }],
        ['GET', '/api/auth/token', { key: unknownKey }],
        ['DELETE', '/api/auth/token', { key: account.token }],
        ['GET', '/api/prompts', { key: account.token }],
        ['POST', '/api/auth/token', { body: { email: account.email, password: account.password } }],
        ['POST', '/api/auth/token', { body: { email: account.email, password: 'a wrong password' } }],
      ];
      try {
        // Sends more requests than there are connections, so that some must wait for requests that hang. The failure lasts until all
        // responses have arrived, so a request that waited for the end of the failure would never get a response.
        const responses = await Promise.all(
          [...requests, ...requests, ...requests].map(([method, path, options]) => call(service, method, path, options)),
        );
        for (const response of responses) assertUnavailable(response);
        if (name !== 'a locked table') assertUnavailable(await call(service, 'GET', '/readyz'));
        assert.equal((await call(service, 'GET', '/healthz')).status, 200);
      } finally {
        await end();
      }
      await retryUntil('the service is not ready again', async () => (await call(service, 'GET', '/readyz')).status === 200);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: account.token })).status, 200);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: unknownKey })).status, 401);
    });
  }

  it('503, not 429, for requests of a workspace whose slots are held by requests that wait for the database', async () => {
    const { token: key } = await register(service);
    const names = Array.from({ length: 8 }, (_each, index) => `prompt-${index}`);
    for (const name of names) await call(service, 'POST', '/api/prompts', { key, body: { name, template: 'Hello' } });
    await operator.query('begin; lock table prompts in access exclusive mode');
    try {
      const reads = names.map((name) => call(service, 'GET', `/api/prompts/${name}`, { key }));
      const body = { items: [{ name: 'new', template: 'Hello' }] };
      const writes = names.map(() => call(service, 'POST', '/api/prompts/batch', { key, body }));
      for (const response of await Promise.all([...reads, ...writes])) assertUnavailable(response);
    } finally {
      await operator.query('rollback');
    }
  });

  it('200: a read whose connection breaks is repeated', async () => {
    for (let round = 0; round < 5; round += 1) {
      const verifications = Array.from({ length: 20 }, () => call(service, 'GET', '/api/auth/token', { key: account.token }));
      await terminateOthers();
      for (const { status } of await Promise.all(verifications)) assert.equal(status, 200);
    }
  });

  it('503: a reset whose result is lost is neither repeated nor denied', async () => {
    const owner = await register(service);
    // The first string identifies the transaction, because others, such as the one of the statistics, also end with a commit.
    proxy.cutAfter('"key_digest" = ', 'commit');
    const response = await call(service, 'DELETE', '/api/auth/token', { key: owner.token });
    assertUnavailable(response);
    assert.equal((await call(service, 'GET', '/api/auth/token', { key: owner.token })).status, 401);
    const login = await call(service, 'POST', '/api/auth/token', { body: { email: owner.email, password: owner.password } });
    assert.equal(login.status, 200);
    assert.equal((await call(service, 'GET', '/api/auth/token', { key: (login.body as TestAccount).token })).status, 200);
  });

  async function changeDatabase(change: string): Promise<void> {
    await operator.query(`alter database ${operator.database} ${change}`);
    await terminateOthers();
  }

  async function terminateOthers(): Promise<void> {
    // PostgreSQL's own processes, such as those that clean up tables, must not be terminated.
    const others = `pid <> pg_backend_pid() and datname = current_database() and backend_type = 'client backend'`;
    await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
  }
});

function assertUnavailable({ status, text, headers }: ApiResponse, name?: string): void {
  assert.equal(status, 503, `${name}: ${text}`);
  assert.equal(text, JSON.stringify({ error: new AppError('database_unavailable').message, code: 'database_unavailable' }));
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}
