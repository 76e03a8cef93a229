import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertCommandRefused, runWell } from '../support/backups.ts';
import { call, register } from '../support/client.ts';
import { runProgram, serveProgram, withDataDir } from '../support/process.ts';
import { retryUntil } from '../support/retry.ts';

describe('a database that was moved or deleted', () => {
  it('under a running service: all responses are 503 until the file is back, and neither a restore nor a second service begins', () =>
    withDataDir(async (folder) => {
      const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup.db')];
      const [file, env] = [join(dataDir, 'promptharbor.db'), { DATA_DIR: dataDir }];
      const service = await serveProgram(env);
      const { token: key } = await register(service);
      await runWell(['backup', backup], env);
      const save = async (name: string) => (await call(service, 'POST', '/api/prompts', { key, body: { name, template: 'x' } })).status;
      assert.equal(await save('before'), 201);

      await rename(file, `${file}.old`);
      await retryUntil('It is still ready', async () => (await call(service, 'GET', '/readyz')).status === 503);
      assert.equal(await save('meanwhile'), 503);
      const doctor = await runProgram(['doctor'], env);
      assert.equal(doctor.code, 1);
      assert.match(doctor.stdout, /^FAILED {2}database and secret: .*promptharbor\.db was moved or deleted while the service was running/m);
      await assertCommandRefused(
        ['backup', join(folder, 'other.db')],
        env,
        /promptharbor\.db was moved or deleted while the service was running/,
        5,
      );
      await assertCommandRefused(['restore', backup], env, /A service is running on .*Then stop the service/);
      await assertCommandRefused(['serve'], { ...env, PORT: '0' }, /A service is running on .*Then stop the service/);

      await rename(`${file}.old`, file);
      await retryUntil('It is not ready again', async () => (await call(service, 'GET', '/readyz')).status === 200);
      assert.equal(await save('after'), 201);
      await service.stop();
    }));

  it('with its log left behind: no new database is created, because the log has the last changes', () =>
    withDataDir(async (folder) => {
      const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup.db')];
      const [file, env] = [join(dataDir, 'promptharbor.db'), { DATA_DIR: dataDir }];
      const service = await serveProgram(env);
      const { token: key } = await register(service);
      await runWell(['backup', backup], env);
      assert.equal((await call(service, 'POST', '/api/prompts', { key, body: { name: 'last', template: 'x' } })).status, 201);
      await service.kill();
      const log = statSync(`${file}-wal`);
      await rename(file, `${file}.old`);

      const problem = /promptharbor\.db is missing, but its log .*put the file back/;
      for (const command of [['serve'], ['restore', backup, '--accept-old-keys'], ['accounts', 'list']]) {
        await assertCommandRefused(command, { ...env, PORT: '0' }, problem);
      }
      const { code, stdout } = await runProgram(['doctor'], env);
      assert.equal(code, 1);
      assert.match(stdout, new RegExp(`^FAILED {2}database and secret: .*${problem.source}`, 'm'));
      assert.equal(existsSync(file), false);
      assert.equal(statSync(`${file}-wal`).size, log.size);
      await rename(`${file}.old`, file);
      const again = await serveProgram(env);
      assert.equal((await call(again, 'GET', '/api/prompts/last', { key })).status, 200);
      await again.stop();
    }));

  it('after a clean stop: no new database is created, in which anyone could create the first account', () =>
    withDataDir(async (dataDir) => {
      const [file, env] = [join(dataDir, 'promptharbor.db'), { DATA_DIR: dataDir, PORT: '0' }];
      const service = await serveProgram(env);
      const { token: key } = await register(service);
      await service.stop();
      await rename(file, `${file}.old`);

      const problem = /promptharbor\.db is missing, but other data of the service still exists: statistics\.db\. Put the file back/;
      for (const command of [['serve'], ['accounts', 'list']]) await assertCommandRefused(command, env, problem);
      const { code, stdout } = await runProgram(['doctor'], env);
      assert.equal(code, 1);
      assert.match(stdout, new RegExp(`^FAILED {2}database and secret: .*${problem.source}`, 'm'));
      assert.equal(existsSync(file), false);
      await rename(`${file}.old`, file);
      const again = await serveProgram(env);
      assert.equal((await call(again, 'GET', '/api/auth/token', { key })).status, 200);
      await again.stop();
    }));

  it('with a secret that only the running service has: doctor says so', () =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      const service = await serveProgram(env);
      for (const [spoil, problem] of [
        [() => writeFile(join(dataDir, 'secret.key'), 'x'.repeat(64)), /The secret does not match this database/],
        [() => rm(join(dataDir, 'secret.key')), /secret\.key is missing/],
      ] as const) {
        await spoil();
        const { code, stdout } = await runProgram(['doctor'], env);
        assert.equal(code, 1);
        assert.match(stdout, new RegExp(`^FAILED {2}database and secret: .*${problem.source}`, 'm'));
      }
      await service.stop();
    }));
});
