import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it, mock } from 'node:test';
import { promisify } from 'node:util';
import { advanceClock, codeOf, enableTwoFactor, stopClock } from '../support/browser.ts';
import { call, type TestAccount } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

const entry = new URL('../../src/main.ts', import.meta.url).href;
const [oldSecret, newSecret] = ['an old secret of 32 characters ..', 'a new secret of 32 characters ...'];

for (const engine of engines) {
  describe(`commands for the second factor (${engine.name})`, () => {
    it('accounts disable-two-factor: the password alone is enough again; a second time says that it is off', async () => {
      const database = await engine.create();
      const env = { ...database.env, SECRET_KEY: oldSecret };
      const account = await withService(database, env, (service) => enableTwoFactor(service));

      const args = ['accounts', 'disable-two-factor', '--email', account.email.toUpperCase()];
      assert.match((await run(args, env)).stdout, /Two-factor authentication is off for the account/);
      const again = await run(args, env);
      assert.equal(again.code, 1);
      assert.match(again.stderr, /Two-factor authentication is off/);

      await withService(database, env, async (service) => assert.equal((await login(service, account)).status, 200));
      await database.remove();
    });

    it('keys reseal: secrets of authenticators are sealed with the new secret, and the old one is not needed any more', async () => {
      const database = await engine.create();
      const before = { ...database.env, SECRET_KEY: oldSecret };
      const account = await withService(database, before, (service) => enableTwoFactor(service));

      const between = { ...database.env, SECRET_KEY: newSecret, SECRET_KEY_PREVIOUS: oldSecret };
      assert.match(
        (await run(['keys', 'reseal'], between)).stdout,
        /^Encrypted 1 keys and 1 two-factor secrets with SECRET_KEY, 0 already were/,
      );
      assert.match(
        (await run(['keys', 'reseal'], between)).stdout,
        /^Encrypted 0 keys and 0 two-factor secrets with SECRET_KEY, 2 already were/,
      );

      await withService(database, { ...database.env, SECRET_KEY: newSecret }, async (service) => {
        assert.equal((await login(service, account)).status, 401);
        // The time step that confirmed the set-up may still be running, and its code is used up.
        advanceClock(30);
        assert.equal((await login(service, account, codeOf(account.secret))).status, 200);
      });
      await database.remove();
    });
  });
}

function login(service: Service, { email, password }: TestAccount, code?: string) {
  return call(service, 'POST', '/api/auth/token', { body: { email, password, ...(code && { code }) } });
}

/** The embedded store is held by one process at a time, so the service stops before a command runs. */
async function withService<T>(
  database: Service['database'],
  env: Record<string, string>,
  use: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService({ database, env });
  stopClock();
  try {
    return await use(service);
  } finally {
    mock.timers.reset();
    await service.close();
  }
}

async function run(args: string[], env: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = `const { main } = await import(${JSON.stringify(entry)}); process.exitCode = await main(process.argv.slice(1));`;
  const child = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
  try {
    return { code: 0, ...(await child) };
  } catch (err) {
    // What execFile rejects with when the exit code is not 0.
    const { code, stdout, stderr } = err as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}
