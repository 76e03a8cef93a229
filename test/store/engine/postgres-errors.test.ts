import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { AppError } from '../../../src/errors.ts';
import type { OpenedDatabase } from '../../../src/store/engine/opened-database.ts';
import { openPostgres } from '../../../src/store/engine/postgres.ts';
import { translateConnectError, translateError } from '../../../src/store/engine/postgres-errors.ts';
import { postgres, type TestDatabase } from '../../support/engines.ts';

function serverError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(`error ${code}`, 0, 'error'), { code });
}

function isUnavailable(err: unknown): boolean {
  const translated = translateError(err);
  if (translated === err) return false;
  assert.ok(translated instanceof AppError && translated.code === 'database_unavailable');
  assert.equal(translated.cause, err);
  return true;
}

describe('Errors of PostgreSQL', () => {
  it('the database is unavailable: lost connections, shutdowns, exhausted resources, timeouts, conflicts', () => {
    for (const code of ['08000', '08006', '08P01', '53100', '53200', '53300', '57014', '57P01', '57P02', '57P03', '58000', '58030']) {
      assert.ok(isUnavailable(serverError(code)), code);
    }
    for (const code of ['55P03', '25006', '25P03', '25P04', '40001', '40P01']) assert.ok(isUnavailable(serverError(code)), code);
    for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ERR_STREAM_DESTROYED', 'CERT_HAS_EXPIRED']) {
      assert.ok(isUnavailable(Object.assign(new Error('x'), { code })), code);
    }
    assert.ok(isUnavailable(Object.assign(new Error('x'), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' })));
    assert.ok(isUnavailable(new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })])));
    assert.ok(isUnavailable(new Error('Connection terminated unexpectedly')));
  });

  it('the database is available: a rejected statement or a bug of ours is not reported as an outage', () => {
    for (const code of [
      '22001',
      '22003',
      '22012',
      '22P02',
      '23502',
      '23503',
      '23505',
      '23514',
      '25P02',
      '42501',
      '42601',
      '42703',
      '42P01',
    ]) {
      assert.ok(!isUnavailable(serverError(code)), code);
    }
    for (const err of [new TypeError('x'), new RangeError('x'), new ReferenceError('x'), new SyntaxError('x'), new Error('x')]) {
      assert.ok(!isUnavailable(err), err.name);
    }
    assert.ok(!isUnavailable(new AggregateError([])));
    assert.ok(!isUnavailable(Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' })));
    assert.ok(!isUnavailable('x'));
  });

  it('a refused login counts as an unavailable database, but a bug while connecting does not', () => {
    assert.ok(translateConnectError(serverError('28P01')) instanceof AppError);
    assert.ok(translateConnectError(serverError('3D000')) instanceof AppError);
    assert.ok(translateConnectError(new TypeError('x')) instanceof TypeError);
  });

  it('a connection that the machine refuses counts as an unavailable database', async () => {
    // Port 1 is reserved and unused.
    const err = await new Promise((resolve) => connect(1, '127.0.0.1').on('error', resolve));
    assert.ok(isUnavailable(err));
  });
});

describe('Errors of a running PostgreSQL', () => {
  let database: TestDatabase;
  let opened: OpenedDatabase;
  before(async () => {
    database = await postgres.create();
    opened = await openPostgres(database.env.DATABASE_URL ?? '');
  });
  after(async () => {
    await opened.close();
    await database.remove();
  });

  for (const [name, query] of Object.entries({
    'a syntax error': 'selec 1',
    'a missing table': 'select * from nowhere',
    'a division by zero': 'select 1 / 0',
    'a comparison of different types': 'select * from pg_class where relname = 1',
  })) {
    it(`${name} does not count as an unavailable database`, async () => {
      await assert.rejects(sql.raw(query).execute(opened.db), (err) => err instanceof pg.DatabaseError);
      await sql`select 1`.execute(opened.db);
    });
  }

  it('connections that broke in the pool are replaced, even before they prove that they lead to the primary', async () => {
    const leased = await openPostgres(database.env.DATABASE_URL ?? '', 2000);
    try {
      const query = () => Promise.all(Array.from({ length: 3 }, () => sql`select pg_sleep(0.05)`.execute(leased.db)));
      await query();
      // The event loop is blocked, so that the pool does not notice the terminated connections. The block lasts long enough that the lease
      // must be renewed.
      execFileSync(process.execPath, ['--input-type=module', '--eval', terminateOthers], {
        env: { ...process.env, URL: database.env.DATABASE_URL },
      });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
      await query();
    } finally {
      await leased.close();
    }
  });

  it('a closed database counts as unavailable', async () => {
    await opened.close();
    await assert.rejects(sql`select 1`.execute(opened.db), (err) => err instanceof AppError && err.code === 'database_unavailable');
  });
});

const terminateOthers = `
  import pg from 'pg';
  const client = new pg.Client(process.env.URL);
  await client.connect();
  const others = "pid <> pg_backend_pid() and datname = current_database() and backend_type = 'client backend'";
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where ' + others);
  await client.end();
`;
