import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Kysely, sql } from 'kysely';
import { openDatabase } from '../../../src/store/engine/open.ts';
import type { OpenedDatabase } from '../../../src/store/engine/opened-database.ts';
import { createDatabaseThread } from '../../../src/store/engine/threads/database-thread.ts';
import { deadlinePlugin } from '../../../src/store/engine/threads/deadline-plugin.ts';
import { createSingleConnection, createThreadDialect } from '../../../src/store/engine/threads/thread-dialect.ts';
import { createMetaStore } from '../../../src/store/meta.ts';
import { migrate } from '../../../src/store/migrate.ts';
import type { Database } from '../../../src/store/tables.ts';

describe('Reader threads of the embedded database', () => {
  let dataDir: string;
  let database: OpenedDatabase;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'promptharbor-threads-'));
    database = await openDatabase({ dataDir, databaseUrl: undefined });
    await migrate(database.db);
  });
  after(async () => {
    await database.close();
    await rm(dataDir, { recursive: true });
  });

  const checkpointing = { isReadOnly: true, setup: [], timeoutMs: 1000, checkpoints: { everyMs: 10, maxLogPages: 1000 } };

  /** Opens a separate database. Only a thread moves its log into its file. */
  function openLog(t: TestContext): { file: string; sqlite: DatabaseSync } {
    const file = join(mkdtempSync(join(dataDir, 'log-')), 'log.db');
    const sqlite = new DatabaseSync(file);
    t.after(() => sqlite.close());
    sqlite.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table texts (text)');
    return { file, sqlite };
  }

  const put = (name: string, value: string) => createMetaStore(database.db).put(name, value);
  const find = (db: Kysely<Database>, name: string) => createMetaStore(db).find(name);

  it('see what was written before, and in a snapshot the state at its beginning', async () => {
    const reader = database.reader('u_a');
    for (let index = 0; index < 100; index += 1) {
      await put('number', String(index));
      assert.equal(await find(reader, 'number'), String(index));
    }
    await reader.transaction().execute(async (snapshot) => {
      assert.equal(await find(snapshot, 'number'), '99');
      await put('number', 'later');
      assert.equal(await find(snapshot, 'number'), '99');
      assert.equal(await find(reader, 'number'), 'later');
    });
    await reader.transaction().execute(async (snapshot) => assert.equal(await find(snapshot, 'number'), 'later'));
    await assert.rejects(createMetaStore(reader).put('number', 'no'));
    assert.equal(await find(reader, 'number'), 'later');
  });

  it('503: a query that takes too long ends, even if it finds nothing, and the thread continues', async (t) => {
    for (let index = 0; index < 300; index += 1) await put(`many/${index}`, 'x');
    const thread = createDatabaseThread({ file: join(dataDir, 'promptharbor.db'), isReadOnly: true, setup: [], timeoutMs: 50 });
    t.after(() => thread.close());
    const dialect = createThreadDialect({ connect: () => createSingleConnection((query) => thread.run(0, query)), isShared: false });
    const db = new Kysely<Database>({ dialect, plugins: [deadlinePlugin] });
    const isSlow = sql<boolean>`(with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000 + length(meta.name))
      select count(*) from n) < 0`;
    await assert.rejects(db.selectFrom('meta').selectAll().where(isSlow).execute(), { code: 'database_unavailable' });
    assert.equal(await find(db, 'many/1'), 'x');
  });

  it('503: a slow search ends, although its time is only checked once for each prompt', async (t) => {
    const file = join(dataDir, 'promptharbor.db');
    const sqlite = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    const insert = sqlite.prepare(`insert into prompt_texts (account_id, prompt_id, version, text) values ('u_a', ?, ?, 'x')`);
    for (let index = 0; index < 300; index += 1) for (const version of [0, 7]) insert.run(`p_${index}`, version);
    sqlite.close();
    const thread = createDatabaseThread({ file, isReadOnly: true, setup: [], timeoutMs: 50 });
    t.after(() => thread.close());
    const dialect = createThreadDialect({ connect: () => createSingleConnection((query) => thread.run(0, query)), isShared: false });
    const db = new Kysely<Database>({ dialect, plugins: [deadlinePlugin] });
    const texts = db.selectFrom('prompt_texts').select('version');
    const isSlow = sql<boolean>`(with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000 + length(prompt_texts.text))
      select count(*) from n) < 0`;
    await assert.rejects(texts.where(isSlow).execute(), { code: 'database_unavailable' });
    const versions = (await texts.execute()).map(({ version }) => version);
    assert.deepEqual([versions.length, new Set(versions)], [600, new Set([0, 7])], 'every row is visited');
  });

  it('ASVS 15.2.2: many slow queries of one workspace do not delay the queries of another', async () => {
    const order: string[] = [];
    const slow = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000) select count(*) from n`;
    const run = async (workspaceId: string) => {
      await slow.execute(database.reader(workspaceId));
      order.push(workspaceId);
    };
    await Promise.all([...Array.from({ length: 20 }, () => run('u_many')), run('u_one')]);
    assert.ok(order.indexOf('u_one') <= 2, order.join(' '));
  });

  it('503: if a thread ends, its queries and snapshots fail, and it is replaced', async (t) => {
    const reader = database.reader('u_a');
    const snapshot = await reader.startTransaction().execute();
    assert.equal(await find(snapshot, 'number'), 'later');
    const worker = nextWorker(t);
    const pending = assert.rejects(
      sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000000) select count(*) from n`.execute(reader),
      {
        code: 'database_unavailable',
      },
    );
    await (await worker).terminate();
    await pending;
    assert.equal(await find(reader, 'number'), 'later');
    await assert.rejects(find(snapshot, 'number'), { code: 'database_unavailable' });
    await snapshot.rollback().execute();
  });

  it('keep the log short during many writes, even if nothing is read', async () => {
    const value = 'x'.repeat(50_000);
    const sizeOf = async () => (await stat(join(dataDir, 'promptharbor.db-wal'))).size;
    const minRounds = 20;
    // On a busy machine, the thread makes a checkpoint later.
    const maxRounds = 100;
    let written = 0;
    for (let round = 0; round < maxRounds && (round < minRounds || (await sizeOf()) >= written / 2); round += 1) {
      for (let index = 0; index < 20; index += 1) await put(`large/${index}`, value);
      written += 20 * value.length;
      await delay(100);
    }
    const size = await sizeOf();
    assert.ok(size < written / 2, String(size));
  });

  it('continue after a failed checkpoint', async (t) => {
    const { file, sqlite } = openLog(t);
    const thread = createDatabaseThread({ ...checkpointing, file });
    t.after(() => thread.close());
    const query = { sql: 'select 1 as one', parameters: [] };
    await thread.run(0, query);
    let isBroken = false;
    while (!isBroken) {
      sqlite.exec(`insert into texts values ('x')`);
      // The index of the log still lists the removed pages, so a checkpoint fails unless the thread has just made a checkpoint.
      truncateSync(`${file}-wal`);
      try {
        sqlite.exec('pragma wal_checkpoint(passive)');
      } catch {
        isBroken = true;
      }
    }
    await delay(100);
    assert.deepEqual((await thread.run(0, query)).rows, [{ one: 1 }]);
    assert.equal(thread.starts, 1);
  });

  it('make checkpoints again after a thread was replaced, even if nothing is read', async (t) => {
    const { file, sqlite } = openLog(t);
    const thread = createDatabaseThread({ ...checkpointing, file });
    t.after(() => thread.close());
    const worker = nextWorker(t);
    await thread.run(0, { sql: 'select 1', parameters: [] });
    await (await worker).terminate();
    while (thread.starts < 2) await delay(20);
    sqlite.exec(`insert into texts values ('y')`);
    while (!isInFile(file, 'y')) await delay(20);
  });

  it('end with the database, even during a snapshot, and leave no log', async () => {
    const snapshot = await database.reader('u_a').startTransaction().execute();
    await find(snapshot, 'number');
    await database.close();
    assert.equal(existsSync(join(dataDir, 'promptharbor.db-wal')), false);
    await assert.rejects(find(snapshot, 'number'), { code: 'database_unavailable' });
    database = await openDatabase({ dataDir, databaseUrl: undefined });
  });

  it('keep the process alive while they end, even if a query was in progress', (t) => {
    const { file } = openLog(t);
    const source = new URL('../../../src/store/engine/threads/database-thread.ts', import.meta.url);
    const program = `
      import { createDatabaseThread } from ${JSON.stringify(source.href)};
      const options = ${JSON.stringify({ file, isReadOnly: true, setup: [], timeoutMs: 1000 })};
      const thread = createDatabaseThread(options);
      const sql = 'with recursive i(i) as (select 1 union all select i + 1 from i where i < 300000) select count(*) from i';
      thread.run(0, { sql, parameters: [] }).then(() => process.stdout.write('read, '));
      await thread.close();
      process.stdout.write('closed');`;
    writeFileSync(`${file}.ts`, program);
    const { stdout, stderr, status } = spawnSync(process.execPath, [`${file}.ts`], { encoding: 'utf8' });
    assert.deepEqual({ stdout, stderr, status }, { stdout: 'read, closed', stderr: '', status: 0 });
  });
});

/** Resolves with the thread to which the next query is sent. */
function nextWorker(t: TestContext): Promise<Worker> {
  const { promise, resolve } = Promise.withResolvers<Worker>();
  const { postMessage } = Worker.prototype;
  const mocked = t.mock.method(Worker.prototype, 'postMessage', function (this: Worker, ...args: Parameters<typeof postMessage>) {
    mocked.mock.restore();
    postMessage.apply(this, args);
    resolve(this);
  });
  return promise;
}

/** Returns whether the database file contains the text. This function does not search the log. */
function isInFile(file: string, text: string): boolean {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const sqlite = new DatabaseSync(url, { readOnly: true });
  try {
    return sqlite.prepare('select 1 from texts where text = ?').get(text) !== undefined;
  } catch {
    // The file may not even contain the table yet, because that is in the log too.
    return false;
  } finally {
    sqlite.close();
  }
}
