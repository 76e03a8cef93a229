import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { describeBackups } from '../../src/cli/operator/describe-service.ts';
import { socketFileIn } from '../../src/cli/operator/socket-path.ts';
import { verifySnapshots } from '../../src/cli/verify-snapshots.ts';
import { createDatabase, runWell } from '../support/backups.ts';
import { postgres } from '../support/engines.ts';
import { startMailServer } from '../support/mail-server.ts';
import { runProgram, serveProgram, withDataDir } from '../support/process.ts';

/** Returns the name, content and time of every file. */
function describeFiles(folder: string): string[] {
  return (
    readdirSync(folder)
      // SQLite recreates the index of its write-ahead log whenever it needs to.
      .filter((name) => !name.endsWith('-shm'))
      .filter((name) => statSync(join(folder, name)).isFile())
      .sort()
      .map((name) => {
        const file = join(folder, name);
        return `${name} ${statSync(file).mtimeMs} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
      })
  );
}

describe('promptharbor doctor', () => {
  it('exit 0 before the first start; creates nothing', () =>
    withDataDir(async (dataDir) => {
      for (const folder of [dataDir, join(dataDir, 'not/yet')]) {
        const { code, stdout } = await runProgram(['doctor'], { DATA_DIR: folder });
        assert.equal(code, 0, stdout);
        assert.match(stdout, /^ok {6}settings: /);
        assert.match(stdout, /^ok {6}database and secret: none yet; the service creates them when it first starts$/m);
        assert.doesNotMatch(stdout, /FAILED/);
      }
      assert.deepEqual(readdirSync(dataDir), []);
    }));

  it('exit 0 next to a running service, after a clean stop and after a kill; changes nothing', () =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      const assertOk = async (expected: RegExp) => {
        const { code, stdout } = await runProgram(['doctor'], env);
        assert.equal(code, 0, stdout);
        assert.match(stdout, expected);
      };
      const service = await serveProgram(env);
      await assertOk(/^ok {6}database and secret: in use by a running service \(PromptHarbor \S+\), the secret is correct, accounts: 0$/m);
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
      await service.stop();

      const stopped = describeFiles(dataDir);
      await assertOk(/^ok {6}database and secret: the schema is up to date, the secret is correct, accounts: 0$/m);
      assert.deepEqual(describeFiles(dataDir), stopped);

      await (await serveProgram(env)).kill();
      const killed = describeFiles(dataDir);
      await assertOk(/^ok {6}database and secret: the schema is up to date, the secret is correct, accounts: 0$/m);
      assert.deepEqual(describeFiles(dataDir), killed);
    }));

  it('exit 1 next to a running service, if the secret of the command’s environment differs', () =>
    withDataDir(async (dataDir) => {
      const secret = { SECRET_KEY: 'the secret of the running service, right' };
      const service = await serveProgram({ DATA_DIR: dataDir, ...secret });
      const right = await runProgram(['doctor'], { DATA_DIR: dataDir, ...secret });
      assert.equal(right.code, 0, right.stdout);
      for (const [env, expected] of [
        [{ SECRET_KEY: 'not the secret of this database, no' }, 'The secret does not match this database'],
        [{}, '.*secret\\.key is missing'],
      ] as const) {
        const { code, stdout } = await runProgram(['doctor'], { DATA_DIR: dataDir, ...env });
        assert.equal(code, 1);
        const start =
          '^FAILED {2}database and secret: the running service has the right secret, but the environment of this command does not: ';
        assert.match(stdout, new RegExp(start + expected, 'm'));
      }
      await service.stop();
    }));

  it('exit 0 next to a running service of an earlier version, and says what it cannot check', () =>
    withDataDir(async (dataDir) => {
      const backups = { failures: 0, isFailing: false };
      const lines = [{ print: 'in use by a running PromptHarbor 1.0.0' }, { print: JSON.stringify(backups) }, { done: true }];
      const server = createServer((_req, res) => res.end(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
      await once(server.listen(socketFileIn(dataDir)), 'listening');
      const { code, stdout } = await runProgram(['doctor'], { DATA_DIR: dataDir });
      server.close();
      assert.equal(code, 0, stdout);
      assert.match(stdout, /^ok {6}database and secret: in use by a running PromptHarbor 1\.0\.0$/m);
      assert.match(
        stdout,
        /^ok {6}backups: not checked, because the running service does not report where its backups are\. Restart or stop the service/m,
      );
    }));

  it('skips a snapshot that the service has deleted in the meantime', () =>
    withDataDir(async (folder) => {
      const [kept, damaged] = [join(folder, 'kept.db'), join(folder, 'damaged.db')];
      const env = { DATA_DIR: join(folder, 'data') };
      await createDatabase(env);
      await runWell(['backup', kept], env);
      assert.equal(verifySnapshots([join(folder, 'deleted.db'), kept]), 1);
      await writeFile(damaged, 'damaged '.repeat(2000));
      assert.throws(() => verifySnapshots([damaged, kept]), /damaged\.db is damaged.* Move damaged files away and make a new backup/);
    }));

  it('exit 1 if backups are not made as often as they should be', () =>
    withDataDir(async (folder) => {
      const env = { DATA_DIR: join(folder, 'data'), BACKUP_DIR: join(folder, 'file'), BACKUP_EVERY: '1h' };
      await writeFile(env.BACKUP_DIR, '');
      const service = await serveProgram(env);
      const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
      while (!/^promptharbor_backup_failures_total 1$/m.test(await metrics())) await delay(20);
      const running = await runProgram(['doctor'], { DATA_DIR: env.DATA_DIR });
      assert.equal(running.code, 1);
      assert.match(
        running.stdout,
        /^FAILED {2}backups: no backup has been made yet, although BACKUP_EVERY is 60 min\. For the reason, search the log/m,
      );
      await service.stop();
      const stopped = await runProgram(['doctor'], env);
      assert.equal(stopped.code, 1);
      assert.match(stopped.stdout, /^FAILED {2}backups: .*file is not a folder$/m);

      const state = { everyMs: 3_600_000, failures: 0, isFailing: false };
      const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
      assert.match(describeBackups({ ...state, lastAt: hoursAgo(1) }), /^the last backup was made 60 min ago/);
      assert.throws(
        () => describeBackups({ ...state, lastAt: hoursAgo(3) }),
        /the last backup was made 3 h ago, .*although BACKUP_EVERY is 60 min/,
      );
      assert.throws(() => describeBackups({ ...state, lastAt: hoursAgo(1), isFailing: true }), /60 min ago, .*can no longer make backups/);
      assert.match(describeBackups({ ...state, lastAt: hoursAgo(3), everyMs: undefined }), /^the last backup was made 3 h ago/);
    }));

  it('checks the mail server, and warns of links that others cannot open; so does the start', () =>
    withDataDir(async (dataDir) => {
      const mailServer = await startMailServer();
      const env = { DATA_DIR: dataDir, SMTP_URL: mailServer.url };
      const up = await runProgram(['doctor'], env);
      assert.equal(up.code, 0, up.stdout);
      assert.match(up.stdout, /^ok {6}mail: 127\.0\.0\.1:\d+ accepts connections$/m);
      assert.match(up.stdout, /^warning links in emails: PUBLIC_URL is not set, so links in emails start with http:\/\/127\.0\.0\.1:3000/m);
      const withUrl = { ...env, PUBLIC_URL: 'https://prompts.example.com' };
      assert.doesNotMatch((await runProgram(['doctor'], withUrl)).stdout, /warning/);
      const started = await serveProgram(env);
      assert.match((await started.stop()).stdout, /"level":"warn".*PUBLIC_URL is not set, so links in emails start with http:/);
      await mailServer.close();
      const down = await runProgram(['doctor'], env);
      assert.equal(down.code, 1);
      assert.match(down.stdout, /^FAILED {2}mail: 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/m);
    }));

  it('exit 0 if there are migrations to apply, and does not apply them', () =>
    withDataDir(async (dataDir) => {
      await createDatabase({ DATA_DIR: dataDir });
      const database = new DatabaseSync(join(dataDir, 'promptharbor.db'));
      database.exec('delete from migrations where id = (select max(id) from migrations)');
      database.close();
      const before = describeFiles(dataDir);
      const { code, stdout } = await runProgram(['doctor'], { DATA_DIR: dataDir });
      assert.equal(code, 0, stdout);
      assert.match(stdout, /the next start will update the schema \(pending migrations: 1\)/);
      assert.deepEqual(describeFiles(dataDir), before);
    }));

  it('exit 0 on PostgreSQL, empty and in use; creates no table', async (t) => {
    const database = await postgres.create();
    t.after(() => database.remove());
    const assertOk = async (expected: RegExp) => {
      const { code, stdout } = await runProgram(['doctor'], database.env);
      assert.equal(code, 0, stdout);
      assert.match(stdout, expected);
    };
    await assertOk(/^ok {6}database features: the server has everything that the service needs$/m);
    await assertOk(/^ok {6}database and secret: none yet; the service creates them when it first starts$/m);
    const client = new pg.Client(database.env.DATABASE_URL);
    await client.connect();
    const { rows } = await client.query(`select table_name from information_schema.tables where table_schema = 'public'`);
    await client.end();
    assert.deepEqual(rows, []);
    const service = await serveProgram(database.env);
    await assertOk(/the schema is up to date, the secret is correct, accounts: 0$/m);
    await service.stop();
    const wrong = await runProgram(['doctor'], { ...database.env, SECRET_KEY: 'not the secret of this database, no' });
    assert.match(wrong.stdout, /FAILED {2}database and secret: The secret does not match/);
  });

  it('exit 1 if the files of the database cannot be opened, and says what to do', () =>
    withDataDir(async (dataDir) => {
      await createDatabase({ DATA_DIR: dataDir });
      await rm(join(dataDir, 'lock.db'), { force: true });
      await mkdir(join(dataDir, 'lock.db'));
      const { code, stdout } = await runProgram(['doctor'], { DATA_DIR: dataDir });
      assert.equal(code, 1);
      assert.match(stdout, /^FAILED {2}database and secret: Cannot write to .*\. Make the folder writable for this user/m);
    }));

  it('exit 1, and says what is wrong: settings, data folder, database, secret', () =>
    withDataDir(async (dataDir) => {
      await createDatabase({ DATA_DIR: dataDir });
      await writeFile(join(dataDir, 'file'), '');
      await withDataDir(async (junk) => {
        await writeFile(join(junk, 'promptharbor.db'), 'This is not a database. '.repeat(1000));
        for (const [env, expected] of [
          [{ PORT: 'x', LOG_LEVEL: 'y' }, /^FAILED {2}settings: Invalid settings:\n {2}PORT: .*\n {2}LOG_LEVEL: /],
          [{ DATA_DIR: join(dataDir, 'file') }, /FAILED {2}disk: .*file is not a folder/],
          [{ DATA_DIR: join(dataDir, 'file/data') }, /FAILED {2}disk: .*file is not a folder/],
          [{ DATA_DIR: junk }, /FAILED {2}database and secret: .* is not a PromptHarbor database/],
          [
            { DATA_DIR: dataDir, SECRET_KEY: 'not the secret of this database, no' },
            /FAILED {2}database and secret: The secret does not match/,
          ],
        ] as const) {
          const { code, stdout } = await runProgram(['doctor'], env);
          assert.equal(code, 1);
          assert.match(stdout, expected);
        }
      });
    }));
});
