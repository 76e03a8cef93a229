import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '../../src/errors.ts';
import { type ApiResponse, call, register, type TestAccount } from '../support/client.ts';
import { postgres } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const answerWithinMs = 8000;
const recoverWithinMs = 5000;
const unknownKey = `ph_${'0'.repeat(64)}`;

describe('16.5.3: with its database away (PostgreSQL)', () => {
  let proxy: TcpProxy & { close(): void };
  let service: Service;
  let account: TestAccount;
  /** Straight to the database, past the proxy. */
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

  const troubles: Record<string, { begin(): unknown; end(): unknown }> = {
    'no connection': { begin: () => proxy.cut(), end: () => proxy.mend() },
    'no answer': { begin: () => proxy.stall(), end: () => proxy.mend() },
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
  for (const [name, { begin, end }] of Object.entries(troubles)) {
    it(`503 with Retry-After within a bounded time for good and bad keys alike, and recovers by itself: ${name}`, async () => {
      await begin();
      const calls: [string, string, Parameters<typeof call>[3]][] = [
        ['GET', '/api/auth/token', { key: account.token }],
        ['GET', '/api/auth/token', { key: unknownKey }],
        ['DELETE', '/api/auth/token', { key: account.token }],
        ['GET', '/api/prompts', { key: account.token }],
        ['POST', '/api/auth/token', { body: { email: account.email, password: account.password } }],
        ['POST', '/api/auth/token', { body: { email: account.email, password: 'a wrong password' } }],
      ];
      // Many at once: more than there are connections, so that some must wait for others that hang.
      const started = performance.now();
      const responses = await Promise.all(
        [...calls, ...calls, ...calls].map(([method, path, options]) => call(service, method, path, options)),
      );
      assert.ok(performance.now() - started < answerWithinMs, 'within a bounded time');
      for (const response of responses) assertUnavailable(response);
      if (name !== 'a locked table') assertUnavailable(await call(service, 'GET', '/readyz'));
      assert.equal((await call(service, 'GET', '/healthz')).status, 200);

      await end();
      const deadline = performance.now() + recoverWithinMs;
      while ((await call(service, 'GET', '/readyz')).status !== 200) {
        assert.ok(performance.now() < deadline, 'ready again in time');
        await delay(20);
      }
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: account.token })).status, 200);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: unknownKey })).status, 401);
    });
  }

  it('200: a read whose connection breaks is made again', async () => {
    for (let round = 0; round < 5; round += 1) {
      const verifications = Array.from({ length: 20 }, () => call(service, 'GET', '/api/auth/token', { key: account.token }));
      await terminateOthers();
      for (const { status } of await Promise.all(verifications)) assert.equal(status, 200);
    }
  });

  it('503: a reset whose answer is lost is neither repeated nor denied', async () => {
    const owner = await register(service);
    proxy.cutAfter('update "accounts"');
    const response = await call(service, 'DELETE', '/api/auth/token', { key: owner.token });
    assertUnavailable(response);
    assert.equal((await call(service, 'GET', '/api/auth/token', { key: owner.token })).status, 401);
    const login = await call(service, 'POST', '/api/auth/token', { body: { email: owner.email, password: owner.password } });
    assert.equal(login.status, 200);
    assert.equal((await call(service, 'GET', '/api/auth/token', { key: (login.body as TestAccount).token })).status, 200);
  });

  function assertUnavailable({ status, text, headers }: ApiResponse): void {
    assert.equal(status, 503, text);
    assert.equal(text, JSON.stringify({ error: new AppError('database_unavailable').message, code: 'database_unavailable' }));
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }

  async function changeDatabase(change: string): Promise<void> {
    await operator.query(`alter database ${operator.database} ${change}`);
    await terminateOthers();
  }

  async function terminateOthers(): Promise<void> {
    await operator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    );
  }
});
