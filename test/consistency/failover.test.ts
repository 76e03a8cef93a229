import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type ApiResponse, call, register } from '../support/client.ts';
import { createPostgresDatabase, type TestDatabase } from '../support/engines.ts';
import { findFreePort, type PostgresServer, startPostgres } from '../support/postgres/server.ts';
import { type ServedProgram, serveProgram } from '../support/process.ts';
import { retryUntil } from '../support/retry.ts';

const leaseMs = 1000;

describe('a primary that is paused, replaced by its standby, and resumed', { skip: process.platform !== 'linux' }, () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let database: TestDatabase;
  const instances: ServedProgram[] = [];

  before(async () => {
    primary = await startPostgres();
    database = await createPostgresDatabase(primary.adminUrl);
    // The free port is looked up while the primary occupies its own port, so that the two differ.
    const port = await findFreePort();
    const start = await primary.interrupt('SIGINT');
    standby = await startPostgres({ standbyOf: { ...primary, start }, port });
    await query(primary, `alter system set synchronous_standby_names = 'standby'`, 'select pg_reload_conf()');
  });
  after(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await Promise.all([primary, standby].map((server) => server.stop()));
    await rm(database.dataDir, { recursive: true });
  });

  async function serve(env: Record<string, string>): Promise<ServedProgram> {
    const instance = await serveProgram({ ...database.env, LOG_LEVEL: 'fatal', PRIMARY_LEASE_MS: String(leaseMs), ...env });
    instances.push(instance);
    return instance;
  }

  it('8.3.2: no key that was reset on the new primary is accepted from the old one, and the service continues with the new one', async () => {
    const url = database.env.DATABASE_URL ?? '';
    const following = await serve({ DATABASE_URL: withHosts(url, primary, standby) });
    const staying = await serve({});
    const trusting = await serve({ PRIMARY_LEASE_MS: '0' });
    const { token: oldKey } = await register(following);
    const verify = (instance: ServedProgram, key: string) => call(instance, 'GET', '/api/auth/token', { key });
    for (const instance of instances) assert.equal((await verify(instance, oldKey)).status, 200);

    const resume = primary.pause();
    // A cluster manager waits longer than the lease before it promotes a standby.
    await delay(leaseMs);
    await query(standby, 'select pg_promote()');
    const reset = await untilServed(() => call(following, 'DELETE', '/api/auth/token', { key: oldKey }));
    assert.equal(reset.status, 200, reset.text);
    const { token: newKey } = reset.body as { token: string };
    resume();

    const stale = await untilServed(() => verify(trusting, oldKey));
    assert.equal(stale.status, 200, 'without a lease, the old primary is believed');
    for (let round = 0; round < 3; round += 1) {
      const responses = await Promise.all([oldKey, oldKey, newKey].map((key) => verify(staying, key)));
      for (const { status, text } of responses) assert.equal(status, 503, text);
      // On a busy machine, the lease may expire before the response is sent.
      assert.equal((await untilServed(() => verify(following, oldKey))).status, 401);
      assert.equal((await untilServed(() => verify(following, newKey))).status, 200);
    }
  });
});

/** Repeats the request until the response is not a 503. */
async function untilServed(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  let response: ApiResponse | undefined;
  await retryUntil('the service has found a primary', async () => {
    response = await send();
    return response.status !== 503;
  });
  assert.ok(response);
  return response;
}

/** Returns the database URL with the hosts of all servers. */
function withHosts(url: string, ...servers: PostgresServer[]): string {
  const hosts = servers.map(({ adminUrl }) => new URL(adminUrl).host).join(',');
  return `${url.replace(new URL(url).host, hosts)}?target_session_attrs=read-write`;
}

async function query({ adminUrl }: PostgresServer, ...statements: string[]): Promise<void> {
  const client = new pg.Client(adminUrl);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
