import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import pg from 'pg';
import { call, register } from '../support/client.ts';
import { createPostgresDatabase, findTemplates } from '../support/engines.ts';
import { runProgram, serveProgram, withDataDir } from '../support/process.ts';

/** Asserts that the start fails with one sentence on standard error and exit code 1. */
async function assertRefused(env: Record<string, string>, expected: RegExp): Promise<void> {
  const { code, stderr, stdout } = await runProgram(['serve'], { PORT: '0', ...env });
  assert.equal(code, 1, stderr);
  assert.match(stderr, expected);
  assert.match(stderr, /^promptharbor: .+\n$/s);
  assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
  assert.equal(stdout, '');
}

describe('promptharbor serve: start', () => {
  it('prints its address and how to create the first account; its files are readable by the owner only; loads the known keys', () =>
    withDataDir(async (dataDir) => {
      const service = await serveProgram({ DATA_DIR: join(dataDir, 'new') });
      assert.match(service.stderr(), /PromptHarbor is ready at http:\/\/127\.0\.0\.1:\d+\n/);
      assert.match(service.stderr(), /curl -s http:\/\/127\.0\.0\.1:\d+\/api\/auth\/register/);
      for (const [file, mode] of [
        ['', 0o700],
        ['promptharbor.db', 0o600],
        ['lock.db', 0o600],
        ['statistics.db', 0o600],
        ['secret.key', 0o600],
      ] as const) {
        assert.equal((await stat(join(dataDir, 'new', file))).mode & 0o777, mode, file);
      }
      await register(service);
      assert.equal((await service.stop()).code, 0);

      const again = await serveProgram({ DATA_DIR: join(dataDir, 'new') });
      assert.doesNotMatch(again.stderr(), /register/, 'the service is no longer new');
      assert.equal((await again.stop()).code, 0);
    }));

  it('on all addresses of the machine, prints a link to one that works on the machine', () =>
    withDataDir(async (dataDir) => {
      const service = await serveProgram({ DATA_DIR: dataDir, HOST: '0.0.0.0' });
      assert.match(service.stderr(), /PromptHarbor is ready at http:\/\/localhost:\d+\n/);
      assert.equal((await call(service, 'GET', '/readyz')).status, 200);
      assert.equal((await service.stop()).code, 0);
    }));

  it('a second start on the same folder is refused, and the first keeps running', () =>
    withDataDir(async (dataDir) => {
      const service = await serveProgram({ DATA_DIR: dataDir });
      await assertRefused({ DATA_DIR: dataDir }, /Another PromptHarbor process is using .*promptharbor\.db\. Stop it first/);
      assert.equal((await call(service, 'GET', '/readyz')).status, 200);
      await register(service);
      await service.stop();
    }));

  it('is refused with a PostgreSQL database that cannot store every character', async (t) => {
    const { postgres } = await findTemplates();
    const database = await createPostgresDatabase(postgres, undefined, `encoding 'LATIN1' locale 'C' template template0`);
    t.after(() => database.remove());
    await assertRefused(database.env, /The database uses the encoding LATIN1, .*Create it with: encoding 'UTF8'/);
  });

  it('is refused with a PostgreSQL role that may not create tables', async (t) => {
    const { postgres } = await findTemplates();
    const database = await createPostgresDatabase(postgres);
    t.after(() => database.remove());
    const owner = new pg.Client(database.env.DATABASE_URL);
    await owner.connect();
    await owner.query('revoke create on schema public from pg_database_owner');
    await owner.end();
    await assertRefused(
      database.env,
      /The database role in DATABASE_URL lacks privileges: permission denied for schema public\. Make it the owner/,
    );
  });

  it('continues after SIGUSR1, without opening a port for a debugger', { skip: process.platform === 'win32' }, () =>
    withDataDir(async (dataDir) => {
      const service = await serveProgram({ DATA_DIR: dataDir });
      service.child.kill('SIGUSR1');
      await register(service);
      const { code, stderr } = await service.stop();
      assert.equal(code, 0);
      assert.doesNotMatch(stderr, /debugger/i);
    }),
  );

  it('is refused on a taken port', () =>
    withDataDir(async (dataDir) => {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const { port } = other.address() as AddressInfo;
      const folder = join(dataDir, 'new');
      for (const [host, address] of [
        ['127.0.0.1', '127.0.0.1'],
        ['localhost', '127.0.0.1'],
      ] as const) {
        const env = { DATA_DIR: folder, HOST: host, PORT: String(port) };
        await assertRefused(env, new RegExp(`Port ${port} on ${address} is already in use`));
      }
      assert.equal(existsSync(folder), false, 'it leaves nothing behind');
      other.close();
    }));

  it('is refused on an address that this machine does not have', () =>
    withDataDir((dataDir) => assertRefused({ DATA_DIR: dataDir, HOST: '192.0.2.1' }, /192\.0\.2\.1 is not an address of this machine/)));

  it('is refused with a data folder that cannot be written', () =>
    withDataDir(async (dataDir) => {
      // Not even root can create a folder below a regular file.
      await writeFile(join(dataDir, 'file'), '');
      await assertRefused({ DATA_DIR: join(dataDir, 'file') }, /file is not a folder\. Set DATA_DIR to a folder/);
      await assertRefused({ DATA_DIR: join(dataDir, 'file', 'data') }, /Cannot write to .*file\/data\. Make the folder writable/);
    }));

  it('is refused with a file of statistics that cannot be opened', () =>
    withDataDir(async (dataDir) => {
      await mkdir(join(dataDir, 'statistics.db-wal'));
      await assertRefused({ DATA_DIR: dataDir }, /^promptharbor: Cannot write to .*\. Make the folder writable/);
    }));

  it('is refused with a data folder in a place where the system allows none', { skip: process.platform !== 'linux' }, () =>
    assertRefused({ DATA_DIR: '/proc/promptharbor/data' }, /Cannot write to \/proc\/promptharbor\/data\. Make the folder writable/),
  );

  it('is refused with a wrong secret, and the attempt changes nothing', () =>
    withDataDir(async (dataDir) => {
      const secret = 'the right secret, 32 characters long';
      const service = await serveProgram({ DATA_DIR: dataDir, SECRET_KEY: secret });
      const account = await register(service);
      await service.stop();
      await assertRefused(
        { DATA_DIR: dataDir, SECRET_KEY: 'quite another secret, 32 characters' },
        /The secret does not match this database/,
      );
      await assertRefused({ DATA_DIR: dataDir }, /secret\.key is missing/);

      const again = await serveProgram({ DATA_DIR: dataDir, SECRET_KEY: secret });
      const { email, password } = account;
      const login = await call(again, 'POST', '/api/auth/token', { body: { email, password } });
      assert.equal((login.body as { token: string }).token, account.token);
      await again.stop();
    }));

  it('is refused with a missing or damaged secret.key, and creates no new one', () =>
    withDataDir(async (dataDir) => {
      const file = join(dataDir, 'secret.key');
      await (await serveProgram({ DATA_DIR: dataDir })).stop();
      const secret = await readFile(file, 'utf8');
      await rm(file);
      await assertRefused({ DATA_DIR: dataDir }, /secret\.key is missing\. Without it, the stored keys cannot be read/);
      await assert.rejects(stat(file));
      await writeFile(file, 'short');
      await assertRefused({ DATA_DIR: dataDir }, /secret\.key is damaged/);
      await (await serveProgram({ DATA_DIR: dataDir, SECRET_KEY: secret.trim() })).stop();
    }));

  it('is refused with a database of a newer version', () =>
    withDataDir(async (dataDir) => {
      await (await serveProgram({ DATA_DIR: dataDir })).stop();
      const database = new DatabaseSync(join(dataDir, 'promptharbor.db'));
      database.exec("insert into migrations (id, name, applied_at) values (9999, 'from-the-future', '2099-01-01')");
      database.close();
      await assertRefused({ DATA_DIR: dataDir }, /The database was written by a newer version of PromptHarbor/);
    }));

  it('is refused with a junk file in place of the database, and leaves the file unchanged', () =>
    withDataDir(async (dataDir) => {
      const file = join(dataDir, 'promptharbor.db');
      const junk = 'This is not a database. '.repeat(1000);
      await writeFile(file, junk);
      await assertRefused({ DATA_DIR: dataDir }, /promptharbor\.db is not a PromptHarbor database/);
      assert.equal(await readFile(file, 'utf8'), junk);
    }));

  it('is refused with a damaged database', () =>
    withDataDir(async (dataDir) => {
      await (await serveProgram({ DATA_DIR: dataDir })).stop();
      const file = join(dataDir, 'promptharbor.db');
      const bytes = await readFile(file);
      await writeFile(file, bytes.fill(0xa5, 100, 4096 * 3));
      await assertRefused({ DATA_DIR: dataDir }, /promptharbor\.db is damaged\. Restore it from a backup/);
    }));

  it('is refused with wrong settings, all of which are listed at once', () =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: dataDir, PORT: 'x', REGISTRATION: 'maybe', SECRET_KEY: 'short', LOG_LEVEL: 'loud' };
      const { code, stderr } = await runProgram(['serve'], env);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /Invalid settings:\n {2}PORT: expected .*\n {2}SECRET_KEY: expected .*\n {2}REGISTRATION: expected .*\n {2}LOG_LEVEL: expected .*\n$/,
      );
    }));

  it('is refused with a secret.key that cannot be read', () =>
    withDataDir(async (dataDir) => {
      await (await serveProgram({ DATA_DIR: dataDir })).stop();
      const file = join(dataDir, 'secret.key');
      await rm(file);
      await chmod(dataDir, 0o700);
      // Not even root can read a folder as a file.
      await mkdir(file);
      await assertRefused({ DATA_DIR: dataDir }, /secret\.key cannot be read/);
    }));
});
