import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, register, signIn, type TestAccount } from '../support/client.ts';
import { postgres, type TestDatabase } from '../support/engines.ts';
import { findPgBouncer, type PgBouncer, startPgBouncer } from '../support/postgres/pgbouncer.ts';
import { type Service, startService } from '../support/service.ts';

const version = findPgBouncer();
const skip = version === undefined && 'PgBouncer is not installed on this machine';

describe(`through PgBouncer ${version ?? ''} in transaction mode`, { skip }, () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  let service: Service;
  before(async () => {
    database = await postgres.create();
    pooler = await startPgBouncer(database.env.DATABASE_URL ?? '');
    service = await startService({ database: { ...database, env: { ...database.env, DATABASE_URL: pooler.url } } });
  });
  after(async () => {
    await service.close();
    await pooler.stop();
    await database.remove();
  });

  it('creates the schema, registers, verifies, signs in and resets', async () => {
    const account = await register(service);
    assert.equal((await call(service, 'GET', '/api/auth/token', { key: account.token })).status, 200);
    assert.equal((await call(service, 'GET', '/api/auth/token', { cookie: await signIn(service, account) })).status, 200);
    const reset = await call(service, 'DELETE', '/api/auth/token', { key: account.token });
    assert.equal(reset.status, 200);
    assert.equal((await call(service, 'GET', '/api/auth/token', { key: account.token })).status, 401);
    assert.equal((await call(service, 'GET', '/api/auth/token', { key: (reset.body as TestAccount).token })).status, 200);
  });

  it('serves concurrent lookups, transactions and resets of many clients over three server connections', async () => {
    const accounts = [await register(service), await register(service), await register(service), await register(service)];
    const clients = accounts.flatMap(({ token }, index) =>
      Array.from({ length: 10 }, async (_, client) => {
        for (let round = 0; round < 5; round += 1) {
          const body = { name: `prompt-${client}-${round}`, type: 'text', template: `{{ a }} ${index}` };
          assert.equal((await call(service, 'POST', '/api/prompts', { key: token, body })).status, 201);
          assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 200);
          assert.equal((await call(service, 'GET', '/api/auth/token', { key: `ph_${'0'.repeat(64)}` })).status, 401);
        }
      }),
    );
    await Promise.all(clients);
    for (const { token } of accounts) {
      const resets = await Promise.all(Array.from({ length: 8 }, () => call(service, 'DELETE', '/api/auth/token', { key: token })));
      assert.deepEqual(resets.map(({ status }) => status).sort(), [200, ...Array(7).fill(401)]);
    }
  });

  it('200: recovers from a restart of the pooler', async () => {
    const { token } = await register(service);
    await pooler.restart();
    assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 200);
  });
});
