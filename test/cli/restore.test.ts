import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { chown, copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { StartError } from '../../src/errors.ts';
import { lockReplaced, sealStaged, stageBackup } from '../../src/store/restore.ts';
import { assertCommandRefused, copySecret, createDatabase, runWell } from '../support/backups.ts';
import { callFromPage, isSignedIn } from '../support/browser.ts';
import { call, register, signIn } from '../support/client.ts';
import { runProgram, serveProgram, withDataDir } from '../support/process.ts';

const newPassword = 'quite another password';

describe('promptharbor restore', () => {
  it('says what it undoes, and resets keys that were reset or deleted since; keeps the replaced database', () =>
    withDataDir(async (folder) => {
      const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup.db')];
      const env = { DATA_DIR: dataDir };
      const service = await serveProgram(env);
      const unchanged = await register(service, { email: 'unchanged@example.com' });
      const reset = await register(service, { email: 'reset@example.com' });
      const deleted = await register(service, { email: 'deleted@example.com' });
      const cookie = await signIn(service, unchanged);
      await call(service, 'POST', '/api/prompts', { key: reset.token, body: { name: 'a', template: '1' } });
      const createTeam = async (name: string) =>
        (await call(service, 'POST', '/api/workspaces', { key: reset.token, body: { name } })).body as { id: string };
      const team = await createTeam('Deleted team');
      await runWell(['backup', backup], env);

      const confirmed = { cookie: await signIn(service, reset), body: { password: reset.password } };
      assert.equal((await callFromPage(service, 'DELETE', `/api/workspaces/${team.id}`, confirmed)).status, 204);
      await createTeam('Created team');
      assert.equal((await call(service, 'DELETE', '/api/auth/token', { key: reset.token })).status, 200);
      await runWell(['accounts', 'reset-password', '--email', unchanged.email], env, `${newPassword}\n`);
      await runWell(['accounts', 'delete', '--email', deleted.email, '--confirm', deleted.email], env);
      await register(service, { email: 'created@example.com' });
      await call(service, 'POST', '/api/prompts', { key: unchanged.token, body: { name: 'since', template: '1' } });
      await assertCommandRefused(['restore', backup], env, /Another PromptHarbor process is using .*Stop it first/);
      await service.stop();

      const undecided = await runProgram(['restore', backup], env);
      assert.equal(undecided.code, 1);
      assert.match(undecided.stdout, /^The backup made at \d{4}-\d\d-\d\dT\S+Z is complete: 3 accounts, 1 prompt, 1 version\.\n/);
      assert.match(undecided.stdout, /^Lost because they are not in the backup: 1 prompt and 1 version\.$/m);
      assert.match(undecided.stdout, /key was reset after the backup.*: reset@example\.com\.\n/);
      assert.match(undecided.stdout, /exist only in the backup and come back.*: deleted@example\.com\.\n/);
      assert.match(undecided.stdout, /lost because they are not in the backup: created@example\.com\.\n/);
      assert.match(undecided.stdout, /password was changed after the backup.*: unchanged@example\.com\.\n/);
      assert.match(undecided.stdout, /^Team workspaces that exist only in the backup and come back.*: Deleted team\.$/m);
      assert.match(undecided.stdout, /^Team workspaces that are lost because they are not in the backup: Created team\.$/m);
      assert.match(undecided.stdout, /^Members who left .*: reset@example\.com \(owner of Deleted team\)\.$/m);
      assert.match(undecided.stderr, /Nothing was restored\. Add --reset-changed-keys/);
      assert.deepEqual(readdirSync(dataDir).sort(), ['lock.db', 'promptharbor.db', 'secret.key', 'statistics.db']);
      assert.match((await runWell(['accounts', 'list'], env)).stdout, /created@example\.com/);
      assert.equal((await runProgram(['restore', backup, '--accept-old-keys', '--reset-changed-keys'], env)).code, 2);

      const { stdout } = await runWell(['restore', backup, '--reset-changed-keys'], env);
      assert.match(stdout, /2 keys will be reset/);
      const kept = /kept in (\S+)\.\n/.exec(stdout)?.[1] ?? '';
      assert.deepEqual(
        readdirSync(dataDir).map((name) => join(dataDir, name)),
        [
          join(dataDir, 'lock.db'),
          join(dataDir, 'promptharbor.db'),
          kept,
          join(dataDir, 'secret.key'),
          kept.replace('promptharbor.db', 'statistics.db'),
        ],
      );
      const replaced = new DatabaseSync(kept, { readOnly: true });
      assert.ok(replaced.prepare(`select 1 from accounts where email = 'created@example.com'`).get());
      replaced.close();

      const restored = await serveProgram(env);
      const verify = async (key: string) => (await call(restored, 'GET', '/api/auth/token', { key })).status;
      assert.deepEqual(await Promise.all([unchanged, reset, deleted].map(({ token }) => verify(token))), [200, 401, 401]);
      const { email, password } = reset;
      const login = await call(restored, 'POST', '/api/auth/token', { body: { email, password } });
      const { token } = login.body as { token: string };
      assert.equal((await call(restored, 'GET', '/api/prompts/a', { key: token })).status, 200);
      assert.equal((await call(restored, 'GET', '/api/prompts/since', { key: unchanged.token })).status, 404);
      assert.equal(await isSignedIn(restored, cookie), false);
      await restored.stop();
    }));

  it('restores a release, which gives every key its version again', () =>
    withDataDir(async (folder) => {
      const backup = join(folder, 'backup.db');
      const env = { DATA_DIR: join(folder, 'data') };
      const service = await serveProgram(env);
      const { token: key } = await register(service);
      await call(service, 'POST', '/api/prompts', { key, body: { name: 'a', template: 'one' } });
      await call(service, 'POST', '/api/prompts/a/versions', { key, body: { template: 'two' } });
      const path = '/api/prompts/a/labels/production/release';
      const body = { control: 1, arms: [{ version: 2, weight: 5000 }] };
      const started = await call(service, 'PUT', path, { key, body });
      assert.equal(started.status, 200, started.text);
      const read = async (from: { url: string }) => {
        const users = Array.from({ length: 30 }, (_, index) => call(from, 'GET', `/api/prompts/a?key=${index}`, { key }));
        return (await Promise.all(users)).map((response) => (response.body as { version: number }).version);
      };
      const versions = await read(service);
      assert.equal(new Set(versions).size, 2, 'both arms');
      await runWell(['backup', backup], env);
      assert.equal((await call(service, 'DELETE', path, { key })).status, 204);
      assert.deepEqual(new Set(await read(service)), new Set([1]));
      await service.stop();
      await runWell(['restore', backup], env);
      const restored = await serveProgram(env);
      assert.deepEqual(await read(restored), versions);
      const { id, state } = (await call(restored, 'GET', path, { key })).body as { id: string; state: string };
      assert.deepEqual([id, state], [(started.body as { id: string }).id, 'running']);
      await restored.stop();
    }));

  it('refuses a file that is not a complete backup of this service, and changes nothing', () =>
    withDataDir(async (folder) => {
      const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup.db')];
      const env = { DATA_DIR: dataDir };
      await runWell(['accounts', 'create', '--email', 'a@example.com'], env, `${newPassword}\n`);
      await runWell(['backup', backup], env);
      const bytes = await readFile(backup);
      const before = await readFile(join(dataDir, 'promptharbor.db'));

      const file = (name: string) => join(folder, name);
      await writeFile(file('text'), 'This is not a database. '.repeat(1000));
      await writeFile(file('empty'), '');
      await writeFile(file('short'), bytes.subarray(0, bytes.length / 2));
      await writeFile(file('damaged'), bytes.fill(0x55, 4096 * 2, 4096 * 6));
      await copyFile(backup, file('in-use.db'));
      await writeFile(file('in-use.db-wal'), '');
      new DatabaseSync(file('other.db')).exec('create table accounts (id text)');
      await copyFile(backup, file('newer.db'));
      new DatabaseSync(file('newer.db')).exec(`
        insert into migrations values (9999, 'newer', ''); delete from meta where name = 'backup_checksum'`);
      for (const [name, expected] of [
        ['text', /is damaged, or is not a PromptHarbor database/],
        ['empty', /This is not a PromptHarbor database/],
        ['short', /damaged/],
        ['damaged', /damaged/],
        ['in-use.db', /is a database in use and not a backup/],
        ['other.db', /This is not a PromptHarbor database/],
      ] as const) {
        assert.throws(
          () => stageBackup(file(name), dataDir),
          (err) => err instanceof StartError && expected.test(err.message),
          name,
        );
      }
      await assertCommandRefused(['restore', file('missing')], env, /There is no file/, 4);
      await assertCommandRefused(['restore', file('damaged')], env, /damaged/);
      await assertCommandRefused(['restore', file('newer.db')], env, /was written by a newer version of PromptHarbor/);
      const wrong = { ...env, SECRET_KEY: 'not the secret of this database, no' };
      await assertCommandRefused(['restore', backup], wrong, /Nothing was restored, because the backup was made with a different secret/);
      await mkdir(file('no-secret'));
      await assertCommandRefused(['restore', backup], { DATA_DIR: file('no-secret') }, /secret\.key is missing/);
      assert.deepEqual(readdirSync(file('no-secret')), ['lock.db']);
      await assertCommandRefused(['restore', backup], { DATA_DIR: file('nowhere') }, /There is no folder .*nowhere/);
      assert.deepEqual(readdirSync(dataDir).sort(), ['lock.db', 'promptharbor.db', 'secret.key', 'statistics.db']);
      assert.deepEqual(await readFile(join(dataDir, 'promptharbor.db')), before);
    }));

  it('replaces a damaged database with its log, and fills an empty folder that has the secret', () =>
    withDataDir(async (folder) => {
      const [dataDir, backup, fresh] = [join(folder, 'data'), join(folder, 'backup.db'), join(folder, 'fresh')];
      const env = { DATA_DIR: dataDir };
      await runWell(['accounts', 'create', '--email', 'a@example.com'], env, `${newPassword}\n`);
      await runWell(['backup', backup], env);
      await writeFile(join(dataDir, 'promptharbor.db'), 'damaged '.repeat(2000));
      await writeFile(join(dataDir, 'promptharbor.db-wal'), 'a log');
      const { stdout } = await runWell(['restore', backup, '--accept-old-keys'], env);
      assert.match(stdout, /cannot be compared with the current database .* is damaged/);
      const kept = /kept in (\S+)\.\n/.exec(stdout)?.[1] ?? '';
      assert.match(await readFile(kept, 'utf8'), /^damaged /);
      assert.ok(existsSync(`${kept}-wal`));
      assert.match((await runWell(['accounts', 'list'], env)).stdout, /a@example\.com/);

      await mkdir(fresh);
      await copySecret(dataDir, fresh);
      await runWell(['restore', backup, '--accept-old-keys'], { DATA_DIR: fresh });
      assert.match((await runWell(['accounts', 'list'], { DATA_DIR: fresh })).stdout, /a@example\.com/);
    }));

  it('with SECRET_KEY, creates a missing folder, and removes it again if nothing is restored', () =>
    withDataDir(async (folder) => {
      const [backup, fresh] = [join(folder, 'backup.db'), join(folder, 'new', 'data')];
      const secret = { SECRET_KEY: 'the secret of the service, which has no file' };
      await createDatabase({ DATA_DIR: join(folder, 'data'), ...secret });
      await runWell(['backup', backup], { DATA_DIR: join(folder, 'data'), ...secret });
      await assertCommandRefused(['restore', backup], { DATA_DIR: fresh }, /There is no folder .*data\. Create it .*, or set SECRET_KEY/);
      const wrong = { DATA_DIR: fresh, SECRET_KEY: 'not the secret of this database, no' };
      await assertCommandRefused(['restore', backup], wrong, /the backup was made with a different secret.*SECRET_KEY_PREVIOUS/);
      assert.equal(existsSync(fresh), false);
      await runWell(['restore', backup, '--accept-old-keys'], { DATA_DIR: fresh, ...secret });
      assert.match((await runWell(['accounts', 'list'], { DATA_DIR: fresh, ...secret })).stdout, /first@example\.com/);
      assert.equal((await stat(fresh)).mode & 0o777, 0o700);
    }));

  it('refuses a backup whose text was changed, which SQLite does not detect; doctor detects it too', () =>
    withDataDir(async (folder) => {
      const [dataDir, backup] = [join(folder, 'data'), join(folder, 'promptharbor-0123abcd-20260101T000000Z.db')];
      const env = { DATA_DIR: dataDir };
      await createDatabase(env);
      await runWell(['backup', backup], env);
      assert.match(
        (await runWell(['doctor', backup], env)).stdout,
        /^ok {6}backup: \S+\.db: made at \S+Z, 1 account, 0 prompts and 0 versions, verified$/m,
      );
      const snapshots = { ...env, BACKUP_DIR: folder };
      assert.match((await runWell(['doctor'], snapshots)).stdout, /^ok {6}backups: .*; 1 snapshot in \S+ verified$/m);
      const bytes = await readFile(backup);
      bytes.write('b', bytes.indexOf('argon2'));
      await writeFile(backup, bytes);
      const sqlite = new DatabaseSync(backup, { readOnly: true });
      assert.deepEqual({ ...sqlite.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
      sqlite.close();
      const problem = /\.db: The content does not match its checksum/;
      await assertCommandRefused(['restore', backup, '--accept-old-keys'], env, problem);
      const given = await runProgram(['doctor', backup], env);
      assert.match(given.stdout, new RegExp(`^FAILED {2}backup: \\S+${problem.source}`, 'm'));
      const found = await runProgram(['doctor'], snapshots);
      assert.match(found.stdout, new RegExp(`^FAILED {2}backups: .*${problem.source}`, 'm'));
      const service = await serveProgram(snapshots);
      const beside = await runProgram(['doctor'], env);
      assert.match(beside.stdout, new RegExp(`^FAILED {2}backups: .*${problem.source}`, 'm'));
      assert.deepEqual([given.code, found.code, beside.code], [1, 1, 1]);
      await service.stop();
      assert.match((await runProgram(['doctor', join(folder, 'none')], env)).stdout, /^FAILED {2}.*There is no file/m);
    }));

  it('accepts a copy without a checksum and says so: a copy of the folder, even one that began as a backup', () =>
    withDataDir(async (folder) => {
      const [dataDir, backup, copy] = [join(folder, 'data'), join(folder, 'backup.db'), join(folder, 'copy')];
      await createDatabase({ DATA_DIR: dataDir });
      await runWell(['backup', backup], { DATA_DIR: dataDir });
      await mkdir(copy);
      await copySecret(dataDir, copy);
      await copyFile(backup, join(copy, 'promptharbor.db'));
      await (await serveProgram({ DATA_DIR: copy })).stop();
      const { stdout } = await runWell(['restore', join(copy, 'promptharbor.db'), '--accept-old-keys'], { DATA_DIR: dataDir });
      assert.match(stdout, /^The backup has no checksum, so only its structure could be verified/m);
      assert.doesNotMatch(stdout, /statistics/);
    }));

  it('accepts a copy of the database alone, under any name, and says how to restore its statistics too', () =>
    withDataDir(async (folder) => {
      const [dataDir, copy] = [join(folder, 'data'), join(folder, 'promptharbor-copy.db')];
      const env = { DATA_DIR: dataDir };
      await createDatabase(env);
      await copyFile(join(dataDir, 'promptharbor.db'), copy);
      const { stdout } = await runWell(['restore', copy, '--accept-old-keys'], env);
      assert.match(
        stdout,
        /^The backup has no statistics, .* rename the backup to promptharbor\.db, put the statistics\.db of the same service in the same folder/m,
      );
      assert.match((await runWell(['accounts', 'list'], env)).stdout, /first@example\.com/);
    }));

  it('refuses a copy with damaged statistics next to it, and says how to restore without statistics', () =>
    withDataDir(async (folder) => {
      const [dataDir, copy] = [join(folder, 'data'), join(folder, 'copy')];
      const env = { DATA_DIR: dataDir };
      await createDatabase(env);
      await mkdir(copy);
      await copyFile(join(dataDir, 'promptharbor.db'), join(copy, 'promptharbor.db'));
      await writeFile(join(copy, 'statistics.db'), 'damaged '.repeat(2000));
      const problem = /statistics\.db is damaged, .*Move it away to restore without statistics/;
      await assertCommandRefused(['restore', join(copy, 'promptharbor.db'), '--accept-old-keys'], env, problem);
    }));

  it('says how old the replaced database is, and a start without a database does not create a new one next to it', () =>
    withDataDir(async (folder) => {
      const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup.db')];
      const env = { DATA_DIR: dataDir };
      await createDatabase(env);
      await runWell(['backup', backup], env);
      const first = await runWell(['restore', backup, '--accept-old-keys'], env);
      const kept = /kept in (\S+)\.\n/.exec(first.stdout)?.[1] ?? '';
      const timeOf = (stdout: string) => /^The backup made at (\S+) is complete/m.exec(stdout)?.[1] ?? '';
      await rm(join(dataDir, 'promptharbor.db'));
      const problem = new RegExp(`promptharbor\\.db is missing, but .*${basename(kept)}\\. .*promptharbor restore`);
      for (const command of [['serve'], ['accounts', 'list'], ['accounts', 'create', '--email', 'b@example.com']]) {
        const refused = await runProgram(command, { ...env, PORT: '0' }, `${newPassword}\n`);
        assert.equal(refused.code, 1);
        assert.match(refused.stderr, problem);
      }
      const { code, stdout } = await runProgram(['doctor'], env);
      assert.equal(code, 1);
      assert.match(stdout, new RegExp(`^FAILED {2}database and secret: .*${problem.source}`, 'm'));
      assert.equal(existsSync(join(dataDir, 'promptharbor.db')), false);
      const second = await runWell(['restore', kept, '--accept-old-keys'], env);
      assert.ok(timeOf(second.stdout) > timeOf(first.stdout), `${timeOf(second.stdout)} ${timeOf(first.stdout)}`);
      assert.match((await runWell(['accounts', 'list'], env)).stdout, /first@example\.com/);
    }));

  it('if it is unknown which keys were reset since, resets all or none, as the operator decides', () =>
    withDataDir(async (folder) => {
      const [dataDir, backup, fresh] = [join(folder, 'data'), join(folder, 'backup.db'), join(folder, 'fresh')];
      const service = await serveProgram({ DATA_DIR: dataDir });
      const { token } = await register(service, { email: 'a@example.com' });
      await runWell(['backup', backup], { DATA_DIR: dataDir });
      await service.stop();
      await mkdir(fresh);
      await copySecret(dataDir, fresh);
      const env = { DATA_DIR: fresh };
      await assertCommandRefused(['restore', backup], env, /Nothing was restored\. Add --reset-all-keys .*--accept-old-keys/);
      await assertCommandRefused(['restore', backup, '--reset-changed-keys'], env, /it is unknown which keys were reset.*--reset-all-keys/);
      assert.deepEqual(readdirSync(fresh).sort(), ['lock.db', 'secret.key']);
      assert.match((await runWell(['restore', backup, '--reset-all-keys'], env)).stdout, /^1 key will be reset\./m);
      const restored = await serveProgram(env);
      assert.equal((await call(restored, 'GET', '/api/auth/token', { key: token })).status, 401);
      await restored.stop();
    }));

  it('locks an empty folder too, and leaves nothing but the lock in it if nothing is restored', () =>
    withDataDir(async (dataDir) => {
      const replaced = lockReplaced(dataDir);
      await assertCommandRefused(
        ['accounts', 'list'],
        { DATA_DIR: dataDir, SECRET_KEY: 'x'.repeat(32) },
        /Another PromptHarbor process is using/,
      );
      replaced.close();
      assert.deepEqual(readdirSync(dataDir), ['lock.db']);
    }));

  it('puts everything into the restored file, including the content of a log', () =>
    withDataDir(async (folder) => {
      const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup.db')];
      await runWell(['accounts', 'create', '--email', 'a@example.com'], { DATA_DIR: dataDir }, `${newPassword}\n`);
      await runWell(['backup', backup], { DATA_DIR: dataDir });
      const staged = stageBackup(backup, dataDir);
      const sqlite = new DatabaseSync(staged.file);
      sqlite.exec(`pragma journal_mode = wal; pragma wal_autocheckpoint = 0; update accounts set name = 'changed'`);
      // Simulates a final checkpoint that failed: only the write-ahead log contains the change.
      const [main, log] = [await readFile(staged.file), await readFile(`${staged.file}-wal`)];
      sqlite.close();
      await writeFile(staged.file, main);
      await writeFile(`${staged.file}-wal`, log);
      sealStaged(staged.file);
      assert.deepEqual(readdirSync(staged.folder), ['promptharbor.db']);
      const sealed = new DatabaseSync(staged.file, { readOnly: true });
      assert.equal(sealed.prepare('select name from accounts').get()?.name, 'changed');
      sealed.close();
    }));

  it('as root, gives the database to the user of the service', { skip: process.getuid?.() !== 0 && 'needs root' }, () =>
    withDataDir(async (folder) => {
      const [dataDir, backup, fresh] = [join(folder, 'data'), join(folder, 'backup.db'), join(folder, 'fresh')];
      await runWell(['accounts', 'create', '--email', 'a@example.com'], { DATA_DIR: dataDir }, `${newPassword}\n`);
      await runWell(['backup', backup], { DATA_DIR: dataDir });
      await mkdir(fresh);
      await copySecret(dataDir, fresh);
      await chown(join(dataDir, 'promptharbor.db'), 65534, 65534);
      await chown(fresh, 65534, 65534);
      for (const target of [dataDir, fresh]) {
        await runWell(['restore', backup, '--accept-old-keys'], { DATA_DIR: target });
        const { uid, gid, mode } = await stat(join(target, 'promptharbor.db'));
        assert.deepEqual([uid, gid, mode & 0o777], [65534, 65534, 0o600]);
      }
      const sqlite = new DatabaseSync(join(fresh, 'promptharbor.db'));
      assert.equal(sqlite.prepare(`select 1 from meta where name = 'snapshot_id'`).get(), undefined, 'its snapshots are its own');
      sqlite.close();
    }),
  );

  it('keeps the replaced database of each of several restores within a second', () =>
    withDataDir(async (folder) => {
      const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup.db')];
      await runWell(['accounts', 'create', '--email', 'a@example.com'], { DATA_DIR: dataDir }, `${newPassword}\n`);
      await runWell(['backup', backup], { DATA_DIR: dataDir });
      await runWell(['accounts', 'create', '--email', 'since@example.com'], { DATA_DIR: dataDir }, `${newPassword}\n`);
      const kept: (string | undefined)[] = [];
      for (let time = 0; time < 5; time += 1) {
        const replaced = lockReplaced(dataDir);
        const staged = stageBackup(backup, dataDir);
        kept.push(replaced.replaceBy(staged.file));
        replaced.close();
      }
      assert.equal(new Set(kept).size, 5);
      const first = new DatabaseSync(kept[0] ?? '', { readOnly: true });
      assert.ok(first.prepare(`select 1 from accounts where email = 'since@example.com'`).get());
      first.close();
    }));
});
