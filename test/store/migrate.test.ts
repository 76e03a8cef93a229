import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { StartError } from '../../src/errors.ts';
import { openDatabase } from '../../src/store/engine/open.ts';
import type { OpenedDatabase } from '../../src/store/engine/opened-database.ts';
import { type Migration, migrate, migrations } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/store.ts';
import { call, register } from '../support/client.ts';
import { engines, postgres, type TestDatabase } from '../support/engines.ts';
import { retryUntil } from '../support/retry.ts';
import { type Service, startService } from '../support/service.ts';

const settingsOf = ({ env, dataDir }: TestDatabase) => ({ dataDir, databaseUrl: env.DATABASE_URL });

/** A migration that the next version might have, and that does not break this version. */
const addition: Migration = {
  id: 1000,
  name: 'addition',
  async up(db) {
    await sql`alter table accounts add column plan text default 'free' not null`.execute(db);
    await sql`create table additions (id integer primary key)`.execute(db);
  },
};

for (const engine of engines) {
  describe(`migrations (${engine.name})`, () => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await engine.create();
    });
    afterEach(() => database.remove());

    it('bring an empty database up to date, and do nothing the second time', async () => {
      for (let start = 0; start < 2; start += 1) {
        const store = await openStore(settingsOf(database));
        assert.equal(await store.accounts.count(), 0);
        await store.close();
      }
    });

    it('bring an older database up to date and keep what it holds', async () => {
      const opened = await openDatabase(settingsOf(database));
      await migrate(opened.db, migrations.slice(0, 1));
      await opened.db.insertInto('meta').values({ name: 'kept', value: 'yes' }).execute();
      await opened.close();
      const store = await openStore(settingsOf(database));
      assert.equal(await store.meta.find('kept'), 'yes');
      await store.close();
    });

    it('0008: find the includes of existing versions, in batches', async () => {
      const opened = await openDatabase(settingsOf(database));
      await migrate(opened.db, migrations.slice(0, 7));
      await insertVersions(opened.db, 250);
      await migrate(opened.db);
      const rows = await opened.db.selectFrom('prompt_references').selectAll().orderBy('version').orderBy('name').execute();
      assert.equal(rows.length, 500, 'two for each version, each once');
      assert.deepEqual({ ...rows.at(-1) }, { account_id: 'u', prompt_id: 'p', version: 250, name: 'tone', label: 'production' });
      assert.equal(rows.at(-2)?.label, 'staging');
      await opened.close();
    });

    it('leave nothing behind when a step fails, so that it can be repeated', async () => {
      const opened = await openDatabase(settingsOf(database));
      const failing: Migration = {
        ...addition,
        async up(db) {
          await addition.up(db);
          throw new Error('out of luck');
        },
      };
      await assert.rejects(migrate(opened.db, [...migrations, failing]), /out of luck/);
      await migrate(opened.db, [...migrations, addition]);
      await opened.close();
    });

    it('refuse a database of a newer version', async () => {
      const opened = await openDatabase(settingsOf(database));
      await migrate(opened.db, [...migrations, addition]);
      await opened.close();
      await assert.rejects(openStore(settingsOf(database)), StartError);
    });
  });
}

/** Inserts versions of one prompt as an earlier release stored them. Half of the versions include other prompts. */
async function insertVersions(db: OpenedDatabase['db'], count: number): Promise<void> {
  const secret = { key_digest: 'x', key_cipher: 'x', password_hash: 'x', key_created_at: '' };
  const times = { created_at: '', updated_at: '' };
  await db
    .insertInto('accounts')
    .values({ id: 'u', email: 'u', name: '', ...secret, ...times })
    .execute();
  const texts = { name: 'p', search_name: 'p', description: '', search_description: '' };
  await db
    .insertInto('prompts')
    .values({ account_id: 'u', id: 'p', type: 'text', latest_version: count, deleted_at: null, ...texts, ...times })
    .execute();
  const reference = { name: 'tone', label: 'production', conditional: false, bound: [] };
  const partials = [
    reference,
    { ...reference, bound: ['x'] },
    { ...reference, name: 'rules', label: 'staging' },
    { ...reference, name: '語'.repeat(3000) },
  ];
  for (let version = 1; version <= count; version += 1) {
    const content = { content: '""', config: '{}', variables: '[]', message: '', created_at: '' };
    const row = { account_id: 'u', prompt_id: 'p', version, ...content };
    await db
      .insertInto('prompt_versions')
      .values([
        { ...row, partials: JSON.stringify(partials) },
        { ...row, version: count + version, partials: '[]' },
      ])
      .execute();
  }
}

describe('migrations of several instances (PostgreSQL)', () => {
  let database: TestDatabase;
  let opened: OpenedDatabase[];
  beforeEach(async () => {
    database = await postgres.create();
    opened = await Promise.all(Array.from({ length: 5 }, () => openDatabase(settingsOf(database))));
  });
  afterEach(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    await database.remove();
  });

  it('run each step once when all instances start at once on an empty database', async () => {
    let runs = 0;
    const counting: Migration = {
      ...addition,
      async up(db) {
        runs += 1;
        await addition.up(db);
      },
    };
    await Promise.all(opened.map(({ runLong }) => runLong((db) => migrate(db, [...migrations, counting]))));
    assert.equal(runs, 1);
    const applied = await opened[0]?.db.selectFrom('migrations').select('id').orderBy('id').execute();
    assert.deepEqual(
      applied?.map(({ id }) => id),
      [...migrations, addition].map(({ id }) => id),
    );
  });

  it('wait for the instance that migrates, and continue when it is killed', async (t) => {
    const [other] = opened;
    assert.ok(other);
    const args = [database.env.DATABASE_URL ?? ''];
    const stalled = fork(join(import.meta.dirname, '../support/stalled-migration.ts'), args, { execArgv: [] });
    t.after(() => stalled.kill('SIGKILL'));
    const ended = once(stalled, 'exit').then(([code]) => assert.fail(`the other instance ended with code ${code}`));
    ended.catch(() => undefined);
    assert.deepEqual(await Promise.race([once(stalled, 'message'), ended]), ['started', undefined]);

    const events: string[] = [];
    const waiting = other.runLong((db) => migrate(db, [...migrations, addition])).then(() => events.push('migrated'));
    await retryUntil('the migration does not wait for the lock', () => hasLockedBackend(other));
    events.push('killed');
    stalled.kill('SIGKILL');
    await waiting;
    assert.deepEqual(events, ['killed', 'migrated']);
    const { rows } = await sql<{ name: string | null }>`select to_regclass('half_done')::text as name`.execute(other.db);
    assert.equal(rows[0]?.name, null);
  });

  async function hasLockedBackend({ db }: OpenedDatabase): Promise<boolean> {
    const waiting = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    return (await waiting.execute(db)).rows.length > 0;
  }
});

describe('a rolling restart to a version with additions (PostgreSQL)', () => {
  let old: Service;
  before(async () => {
    old = await startService({ engine: postgres });
  });
  after(() => old.close());

  it('200: instances of this version keep serving', async () => {
    const account = await register(old);
    const opened = await openDatabase(settingsOf(old.database));
    await opened.runLong((db) => migrate(db, [...migrations, addition]));
    await opened.close();

    assert.equal((await call(old, 'GET', '/api/auth/token', { key: account.token })).status, 200);
    const reset = await call(old, 'DELETE', '/api/auth/token', { key: account.token });
    assert.equal(reset.status, 200);
    assert.equal((await call(old, 'GET', '/api/auth/token', { key: account.token })).status, 401);
    assert.equal((await call(old, 'POST', '/api/auth/token', { body: { email: account.email, password: account.password } })).status, 200);
    await register(old);
  });
});
