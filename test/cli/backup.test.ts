import assert from 'node:assert/strict';
import { existsSync, watch } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { assertCommandRefused, copySecret, createDatabase, enlarge, listDrafts, runWell } from '../support/backups.ts';
import { call, register } from '../support/client.ts';
import { runProgram, serveProgram, startProgram, withDataDir } from '../support/process.ts';
import { retryUntil } from '../support/retry.ts';

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'promptharbor-backups-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Resolves when the folder contains a backup that is still being written. */
function draftIn(folder: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_event, name) => {
      if (!name?.includes('.partial')) return;
      watcher.close();
      resolve();
    });
  });
}

/** Asserts that the backup is complete or does not exist. */
function assertCompleteOrMissing(file: string): void {
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file, { readOnly: true });
  assert.equal(database.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
  database.close();
}

describe('promptharbor backup', () => {
  it('does not upgrade the database of a stopped service of an earlier version', (t) =>
    withDataDir(async (dataDir) => {
      const [folder, env] = [await newFolder(t), { DATA_DIR: dataDir }];
      await runWell(['accounts', 'create', '--email', 'a@example.com'], env, 'a long enough password\n');
      const newest = (file: string, change = '') => {
        const sqlite = new DatabaseSync(file);
        if (change) sqlite.exec(change);
        const id = sqlite.prepare('select max(id) as id from migrations').get()?.id;
        sqlite.close();
        return id;
      };
      const live = join(dataDir, 'promptharbor.db');
      const earlier = newest(live, 'delete from migrations where id = (select max(id) from migrations)');
      await runWell(['backup', join(folder, 'before.db')], env);
      assert.deepEqual([newest(live), newest(join(folder, 'before.db'))], [earlier, earlier]);
    }));

  it('next to a running or stopped service: writes one verified file, readable only by its owner, and says that the secret is not in it', (t) =>
    withDataDir(async (dataDir) => {
      const folder = await newFolder(t);
      const env = { DATA_DIR: dataDir };
      const service = await serveProgram(env);
      const { token: key } = await register(service);
      await call(service, 'POST', '/api/prompts', { key, body: { name: 'a', template: 'Hello' } });
      assert.match((await call(service, 'GET', '/metrics')).text, /^promptharbor_backup_age_seconds \+Inf$/im);

      const file = join(folder, 'one.db');
      const { stdout, stderr } = await runWell(['backup', file], env);
      assert.match(stdout, /one\.db: [\d.]+ [KM]iB in [\d.]+ s, verified\. It contains 1 account, 1 prompt and 1 version\.\n$/);
      assert.match(stderr, /^The backup does not contain the secret.*secret\.key\.$/m);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.doesNotMatch(
        (await readFile(file)).toString('latin1'),
        new RegExp((await readFile(join(dataDir, 'secret.key'), 'utf8')).trim()),
      );
      assert.match((await call(service, 'GET', '/metrics')).text, /^promptharbor_backup_age_seconds \d/m);
      assert.match((await runWell(['doctor'], env)).stdout, /^ok {6}backups: the last backup was made \d+ min ago/m);
      await service.stop();

      await runWell(['backup', join(folder, 'two.db')], env);
      assert.match((await runWell(['doctor'], env)).stdout, /^ok {6}backups: the last backup was made \d+ min ago/m);
      assert.deepEqual((await readdir(folder)).sort(), ['one.db', 'two.db']);
    }));

  it('is refused if there is nothing to back up, and with PostgreSQL, which has its own tools', () =>
    withDataDir(async (dataDir) => {
      await assertCommandRefused(['backup', 'x.db'], { DATA_DIR: dataDir }, /There is no database in/, 4);
      const postgres = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none', SECRET_KEY: 'x'.repeat(32) };
      await assertCommandRefused(['backup', 'x.db'], postgres, /pg_dump --format=custom --file=\S+x\.db "\$DATABASE_URL"/);
      await assertCommandRefused(['restore', 'x.db'], postgres, /pg_restore/);
      assert.deepEqual(await readdir(dataDir), []);
    }));

  it('under load: has every write that was acknowledged before it began, and restores into a service on another machine', (t) =>
    withDataDir(async (dataDir) => {
      const folder = await newFolder(t);
      const env = { DATA_DIR: dataDir };
      const service = await serveProgram(env);
      const account = await register(service);
      const key = account.token;
      let acknowledged = 0;
      let isWriting = true;
      const create = (name: string) => call(service, 'POST', '/api/prompts', { key, body: { name, template: 'x'.repeat(2000) } });
      const writing = Promise.all(
        ['a', 'b'].map(async (writer) => {
          for (let index = 0; isWriting; index += 1) {
            assert.equal((await create(`${writer}${index}`)).status, 201);
            acknowledged += 1;
            // The refused write is rolled back, which makes SQLite restart its backup.
            assert.equal((await create(`${writer}${index}`)).status, 409);
          }
        }),
      );
      await retryUntil('nothing was written', () => acknowledged > 50);
      const files: [file: string, writtenBefore: number][] = [];
      for (const name of ['1.db', '2.db', '3.db']) {
        files.push([join(folder, name), acknowledged]);
        await runWell(['backup', join(folder, name)], env);
      }
      isWriting = false;
      await writing;
      await service.stop();

      const other = join(folder, 'other machine');
      await mkdir(other);
      await copySecret(dataDir, other);
      for (const [file, writtenBefore] of files) {
        assert.match((await runWell(['restore', file, '--accept-old-keys'], { DATA_DIR: other })).stdout, /The backup was restored/);
        const database = new DatabaseSync(join(other, 'promptharbor.db'));
        const { count } = database.prepare('select count(*) as count from prompts').get() as { count: number };
        database.close();
        assert.ok(count >= writtenBefore, `${count} of ${writtenBefore}`);
      }
      const restored = await serveProgram({ DATA_DIR: other });
      assert.equal((await call(restored, 'GET', '/api/prompts/a0', { key })).status, 200);
      const { email, password } = account;
      assert.equal((await call(restored, 'POST', '/api/auth/token', { body: { email, password } })).status, 200, 'the secret fits');
      await restored.stop();
    }));

  it('a killed service or command leaves no file that looks like a backup, and no draft', (t) =>
    withDataDir(async (dataDir) => {
      const folder = await newFolder(t);
      const env = { DATA_DIR: dataDir };
      await createDatabase(env);
      enlarge(dataDir, 64);
      const file = join(folder, 'x.db');
      const service = await serveProgram(env);

      let draft = draftIn(folder);
      const command = startProgram(['backup', file], env);
      await draft;
      command.child.kill('SIGKILL');
      await command.finished;
      await retryUntil('the service leaves a draft', async () => (await listDrafts(folder)).length === 0);
      assertCompleteOrMissing(file);
      assert.equal((await call(service, 'GET', '/readyz')).status, 200);

      draft = draftIn(folder);
      const orphan = startProgram(['backup', '--force', file], env);
      await draft;
      await service.kill();
      const { code, stderr } = await orphan.finished;
      if (code !== 0) assert.match(stderr, /The service stopped before the command was finished/);
      await retryUntil('a draft is left', async () => (await listDrafts(folder)).length === 0);
      assertCompleteOrMissing(file);

      draft = draftIn(folder);
      const alone = startProgram(['backup', '--force', file], env);
      await draft;
      alone.child.kill('SIGKILL');
      await alone.finished;
      await retryUntil('a draft is left', async () => (await listDrafts(folder)).length === 0);
      assertCompleteOrMissing(file);

      const stopped = await serveProgram(env);
      draft = draftIn(folder);
      const refused = startProgram(['backup', '--force', file], env);
      await draft;
      assert.equal((await stopped.stop()).code, 0, 'a stop does not wait for a backup');
      await refused.finished;
      assert.deepEqual(await listDrafts(folder), []);
      assertCompleteOrMissing(file);
      await runWell(['backup', '--force', file], env);
      assertCompleteOrMissing(file);
    }));
});

describe('the socket of a running service', () => {
  it('is accessible only to its user, replaces what a killed process left, even a link, and is removed by a stop', (t) =>
    withDataDir(async (dataDir) => {
      const folder = await newFolder(t);
      const env = { DATA_DIR: dataDir };
      const socket = join(dataDir, 'promptharbor.sock');
      await chmod(dataDir, 0o755);
      await (await serveProgram(env)).kill();
      assert.ok((await lstat(socket)).isSocket(), 'left behind');
      await runWell(['accounts', 'list'], env);

      await rm(socket);
      await writeFile(join(folder, 'target'), 'mine');
      await symlink(join(folder, 'target'), socket);
      await runWell(['accounts', 'list'], env);
      assert.equal(await readlink(socket), join(folder, 'target'), 'a command does not touch it');

      const service = await serveProgram({ ...env, BACKUP_DIR: join(folder, 'snapshots'), BACKUP_EVERY: '6h' });
      const status = await lstat(socket);
      assert.ok(status.isSocket());
      assert.equal(status.mode & 0o777, 0o600);
      assert.equal(await readFile(join(folder, 'target'), 'utf8'), 'mine');
      for (const path of ['/v1/accounts%20list', '/v1/doctor']) assert.equal((await call(service, 'POST', path, { body: {} })).status, 404);
      await retryUntil('BACKUP_DIR gets no snapshot', () => /"msg":"a backup was made and verified"/.test(service.stdout()));
      assert.match((await readdir(join(folder, 'snapshots'))).join(), /^promptharbor-[0-9a-f]{8}-\d{8}T\d{6}Z\.db$/);
      await service.stop();
      assert.equal(existsSync(socket), false);
      assert.deepEqual((await readdir(dataDir)).sort(), ['lock.db', 'promptharbor.db', 'secret.key', 'statistics.db']);
    }));

  it('is left out if its path is too long, and a command says so', () =>
    withDataDir(async (parent) => {
      const dataDir = join(parent, 'x'.repeat(60), 'y'.repeat(60));
      const env = { DATA_DIR: dataDir };
      const service = await serveProgram(env);
      await retryUntil('the log does not say why', () => /too long for a socket/.test(service.stdout()));
      assert.match(
        (await runProgram(['accounts', 'list'], env)).stderr,
        /Stop it first.*\n.*promptharbor\.sock, is too long\. Run the command in /,
      );
      await service.stop();
      await runWell(['accounts', 'list'], env);
    }));
});
