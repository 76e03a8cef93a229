import assert from 'node:assert/strict';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../src/store/engine/open.ts';
import type { OpenedDatabase } from '../../src/store/engine/opened-database.ts';
import { sqliteFileIn } from '../../src/store/engine/sqlite-file.ts';
import { statisticsFileIn } from '../../src/store/engine/sqlite-statistics-file.ts';
import { migrate, migrations } from '../../src/store/migrate.ts';
import { stageBackup } from '../../src/store/restore.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { engines, sqlite, type TestDatabase } from '../support/engines.ts';

const settingsOf = ({ env, dataDir }: TestDatabase) => ({ dataDir, databaseUrl: env.DATABASE_URL });
const range = { from: '2026-01-01', to: '2027-01-01', interval: 'day' } as const;
const hour = '2026-03-01T14';
const noCounts = { calls: [], prompts: [], renderErrors: [], members: [], runs: [], releases: [], keyUses: [], promptKeys: [] };

for (const engine of engines) {
  describe(`statistics of the previous version (${engine.name})`, () => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await engine.create();
      const opened = await openDatabase(settingsOf(database));
      await migrate(opened.db, migrations.slice(0, 20));
      await fill(opened);
      await opened.close();
    });
    afterEach(() => database.remove());

    it('are complete after the upgrade, and need no account', async () => {
      for (let start = 0; start < 2; start += 1) {
        const store = await openStore(settingsOf(database));
        assert.deepEqual(await callsOf(store, 'u_a'), { 'GET /a': 5 });
        assert.deepEqual(await callsOf(store, 'u_b'), { 'GET /a': 1, 'GET /b': 9 });
        assert.deepEqual(await callsOf(store, 'u_c'), { 'GET /a': 23 });
        const prompt = await store.statistics.readPrompt({ accountId: 'u_c', promptId: 'p', ...range });
        assert.deepEqual(
          prompt.versions.map((version) => ({ ...version })),
          [{ version: 2, label: 'production', calls: 4, errors: 4 }],
        );
        assert.deepEqual(
          prompt.errors.map((error) => ({ ...error })),
          [{ code: 'missing_variables', name: 'customer', calls: 4 }],
        );
        assert.equal((await store.statistics.findKeyUses(['u_a'])).get('u_a'), new Date(2000).toISOString());
        // The account was deleted before its last calls are written.
        const calls = [{ accountId: 'u_deleted', time: hour, route: 'GET /a', status: 200, bucket: 1, calls: 1 }];
        await store.statistics.add({ ...noCounts, writer: 'w_new', sequence: start + 1, calls });
        assert.deepEqual(await callsOf(store, 'u_deleted'), { 'GET /a': start + 1 });
        await store.close();
      }
    });

    it('are counted once if the instance is killed before it has removed them from their old place', async () => {
      if (engine.name !== 'SQLite') return;
      const before = `${database.dataDir}/before.db`;
      await copyFile(sqliteFileIn(database.dataDir), before);
      await (await openStore(settingsOf(database))).close();
      await copyFile(before, sqliteFileIn(database.dataDir));
      const store = await openStore(settingsOf(database));
      assert.deepEqual(await callsOf(store, 'u_b'), { 'GET /a': 1, 'GET /b': 9 });
      assert.deepEqual(await callsOf(store, 'u_c'), { 'GET /a': 23 });
      await store.close();
      const main = new DatabaseSync(sqliteFileIn(database.dataDir));
      const left = main
        .prepare(`select name from sqlite_schema where name like '%statistics%' or name in ('usage_blocks', 'key_uses')`)
        .all();
      main.close();
      assert.deepEqual(left, []);
    });
  });
}

describe('a file of statistics with the layout of an earlier version', () => {
  it('gets the present layout and keeps its counters', async () => {
    const [database, fresh] = [await sqlite.create(), await sqlite.create()];
    await (await openStore(settingsOf(database))).close();
    await rm(statisticsFileIn(database.dataDir));
    const early = new DatabaseSync(statisticsFileIn(database.dataDir));
    early.exec(`${firstLayout}
      insert into prompt_statistics values ('u_a', '${hour}', 'p', 2, 'production', 200, 4), ('u_a', '${hour}', 'p', 1, '', 422, 3);
      pragma user_version = 1;`);
    early.close();
    const store = await openStore(settingsOf(database));
    const { versions } = await store.statistics.readPrompt({ accountId: 'u_a', promptId: 'p', ...range });
    assert.deepEqual(versions.map(({ version, calls }) => [version, calls]).sort(), [
      [1, 3],
      [2, 4],
    ]);
    await store.close();
    await (await openStore(settingsOf(fresh))).close();
    assert.deepEqual(readLayout(database), readLayout(fresh));
    await database.remove();
    await fresh.remove();
  });
});

describe('counted calls of a version without releases', () => {
  const oldTable = `create table counted_calls (account_id text not null, trace_ref text not null, span_ref text not null, response_ref text,
    time text not null, prompt_id text not null, version integer not null, label text not null, model text not null, started_ms integer,
    primary key (account_id, trace_ref, span_ref)); insert into counted_calls values ('u_a', 't', 's', null, '', 'p', 1, '', 'm', null)`;
  const score = { accountId: 'u_a', id: 'i', isNew: true, target: { traceRef: 't' }, promptId: undefined };

  /** Returns the versions that a score of the call rates. */
  async function rate(store: Store): Promise<number[]> {
    const scores = [{ ...score, score: { name: 'x', value: 1, comment: undefined } }];
    let rated: number[] = [];
    await store.statistics.recordResults({ minute: '', calls: [], ends: [], scores }, (results) => {
      rated = results.scores.map(({ version }) => version.version);
      return { counts: { resultSums: [], resultCounts: [], resultScores: [] }, units: [], comments: [] };
    });
    return rated;
  }

  for (const isMoved of [true, false]) {
    it(`are kept, ${isMoved ? 'in their file' : 'in a backup whose statistics had not been upgraded'}`, async () => {
      const database = await sqlite.create();
      const opened = await openDatabase(settingsOf(database));
      await migrate(
        opened.db,
        migrations.filter(({ id }) => !isMoved || id <= 34),
      );
      opened.prepareStatistics();
      await opened.close();
      const file = new DatabaseSync(isMoved ? statisticsFileIn(database.dataDir) : sqliteFileIn(database.dataDir));
      const inserted = oldTable.slice(oldTable.indexOf('insert')).replace('null)', 'null, null)');
      file.exec(isMoved ? inserted : oldTable);
      file.close();
      const store = await openStore(settingsOf(database));
      assert.deepEqual(await rate(store), [1]);
      assert.deepEqual(await store.statistics.listStages('u_a', undefined, 1), []);
      await store.close();
      await database.remove();
    });
  }
});

/** The tables as created by the first version that had this file. */
const firstLayout = `
  create table call_statistics (account_id text not null, time text not null, route text not null, status integer not null,
    bucket integer not null, calls integer not null, primary key (account_id, time, route, status, bucket));
  create index call_statistics_by_time on call_statistics (time, account_id);
  create table prompt_statistics (account_id text not null, time text not null, prompt_id text not null, version integer not null,
    label text not null, status integer not null, calls integer not null, primary key (account_id, time, prompt_id, version, label, status));
  create index prompt_statistics_by_time on prompt_statistics (time, account_id);
  create index prompt_statistics_by_prompt on prompt_statistics (account_id, prompt_id, time, version, label, status);
  create table render_errors (account_id text not null, time text not null, prompt_id text not null, code text not null,
    name text not null, calls integer not null, primary key (account_id, time, prompt_id, code, name));
  create index render_errors_by_time on render_errors (time, account_id);
  create index render_errors_by_prompt on render_errors (account_id, prompt_id, time);
  create table key_uses (account_id text primary key, key_serial integer not null, last_used_at text not null);
  create table statistics_writers (id text primary key, sequence integer not null, updated_at text not null);`;

function readLayout({ dataDir }: TestDatabase): string[] {
  const file = new DatabaseSync(statisticsFileIn(dataDir), { readOnly: true });
  const layout = file.prepare('select sql from sqlite_schema where sql is not null').all();
  file.close();
  return layout.map(({ sql }) => String(sql).replaceAll(/\s+/g, ' ')).sort();
}

describe('a backup', () => {
  it('is one file that includes the statistics, which a service that starts from it restores', async () => {
    const [database, other] = [await sqlite.create(), await sqlite.create()];
    const file = join(other.dataDir, 'backup.db');
    const store = await openStore(settingsOf(database));
    const counts = {
      calls: [{ accountId: 'u_a', time: hour, route: 'GET /a', status: 200, bucket: 1, calls: 7 }],
      prompts: [],
      renderErrors: [],
      members: [],
      runs: [],
    };
    await store.statistics.add({ writer: 'w', sequence: 1, ...counts, releases: [], keyUses: [], promptKeys: [] });
    await store.meta.put('canary', 'x');
    await store.backUp?.({ draft: file, signal: AbortSignal.timeout(30_000), publish: async () => undefined });
    await store.statistics.add({ writer: 'w', sequence: 2, ...counts, releases: [], keyUses: [], promptKeys: [] });
    assert.deepEqual(await callsOf(store, 'u_a'), { 'GET /a': 14 });
    await store.close();

    await copyFile(file, sqliteFileIn(other.dataDir));
    for (let start = 0; start < 2; start += 1) {
      const restored = await openStore(settingsOf(other));
      assert.deepEqual(await callsOf(restored, 'u_a'), { 'GET /a': 7 });
      // A batch that the backup contains is not added again.
      await restored.statistics.add({ writer: 'w', sequence: 1, ...counts, releases: [], keyUses: [], promptKeys: [] });
      assert.deepEqual(await callsOf(restored, 'u_a'), { 'GET /a': 7 });
      await restored.close();
    }
    // An operator replaces the database with the backup by hand, next to statistics that are newer than the backup.
    await copyFile(file, sqliteFileIn(database.dataDir));
    const earlier = await openStore(settingsOf(database));
    assert.deepEqual(await callsOf(earlier, 'u_a'), { 'GET /a': 7 });
    await earlier.close();
    await database.remove();
    await other.remove();
  });
});

describe('stageBackup', () => {
  it('takes the statistics from the file next to a database that an earlier restore replaced', async () => {
    const [database, other] = [await sqlite.create(), await sqlite.create()];
    const store = await openStore(settingsOf(database));
    const calls = [{ accountId: 'u_a', time: hour, route: 'GET /a', status: 200, bucket: 1, calls: 7 }];
    await store.statistics.add({
      writer: 'w',
      sequence: 1,
      calls,
      prompts: [],
      renderErrors: [],
      members: [],
      runs: [],
      releases: [],
      keyUses: [],
      promptKeys: [],
    });
    await store.meta.put('canary', 'x');
    await store.close();
    for (const name of ['promptharbor.db', 'statistics.db']) {
      await copyFile(join(database.dataDir, name), join(database.dataDir, `${name}.replaced-1`));
    }
    const { folder } = stageBackup(join(database.dataDir, 'promptharbor.db.replaced-1'), other.dataDir);
    const restored = await openStore({ dataDir: folder, databaseUrl: undefined });
    assert.deepEqual(await callsOf(restored, 'u_a'), { 'GET /a': 7 });
    await restored.close();
    await database.remove();
    await other.remove();
  });
});

async function callsOf(store: Store, accountId: string): Promise<Record<string, number>> {
  const { routes } = await store.statistics.readWorkspace({ accountId, ...range });
  return Object.fromEntries(routes.map(({ route, calls }) => [route, calls]).sort());
}

/** Inserts accounts and their counts. */
async function fill({ db }: OpenedDatabase): Promise<void> {
  for (const id of ['u_a', 'u_b', 'u_c']) {
    const secret = { key_digest: id, key_cipher: 'x', password_hash: 'x', key_created_at: '' };
    await db
      .insertInto('accounts')
      .values({ id, email: id, name: '', ...secret, created_at: '', updated_at: '' })
      .execute();
  }
  await sql`insert into call_statistics (account_id, time, route, status, bucket, calls) values ('u_a', ${hour}, 'GET /a', 200, 1, 5),
    ('u_b', ${hour}, 'GET /a', 200, 1, 1), ('u_b', ${hour}, 'GET /b', 200, 1, 9), ('u_c', ${hour}, 'GET /a', 200, 1, 23)`.execute(db);
  await sql`insert into prompt_statistics (account_id, time, prompt_id, version, label, status, calls)
    values ('u_c', ${hour}, 'p', 2, 'production', 422, 4)`.execute(db);
  await sql`insert into render_errors (account_id, time, prompt_id, code, name, calls)
    values ('u_c', ${hour}, 'p', 'missing_variables', 'customer', 4)`.execute(db);
  await sql`insert into key_uses (account_id, key_serial, last_used_at) values ('u_a', 1, ${new Date(2000).toISOString()})`.execute(db);
}
