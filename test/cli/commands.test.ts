import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isSignedIn } from '../support/browser.ts';
import { call, register, signIn } from '../support/client.ts';
import { runProgram, serveProgram, withDataDir } from '../support/process.ts';

describe('promptharbor: all commands', () => {
  it('--help, -h, help and no argument list every command; exit 0', async () => {
    for (const args of [['--help'], ['-h'], ['help'], []]) {
      const { code, stdout, stderr } = await runProgram(args);
      assert.equal(code, 0);
      assert.equal(stderr, '');
      for (const command of [
        'serve',
        'accounts list',
        'accounts create',
        'accounts reset-password',
        'keys reseal',
        'backup',
        'restore',
        'doctor',
      ]) {
        assert.ok(stdout.includes(`  ${command} `), command);
      }
    }
  });

  it('<command> --help shows its options and does nothing', () =>
    withDataDir(async (dataDir) => {
      const { code, stdout } = await runProgram(['accounts', 'create', '--help'], { DATA_DIR: join(dataDir, 'none') });
      assert.equal(code, 0);
      assert.match(stdout, /^Usage: promptharbor accounts create \[options\]/);
      assert.match(stdout, /--email/);
      assert.deepEqual(await runProgram(['help', 'accounts', 'create']), { code, stdout, stderr: '' });
      assert.match((await runProgram(['help', 'accounts'])).stdout, /promptharbor accounts list/);
      assert.equal((await runProgram(['help', 'nothing'])).code, 2);
    }));

  it('an unknown command is refused with suggestions, an unknown option with the usage; exit 2', async () => {
    const command = await runProgram(['accounts', 'destroy']);
    assert.equal(command.code, 2);
    assert.match(command.stderr, /^promptharbor: There is no command "accounts destroy"\. Use accounts list, .*--help" lists all/);
    const typo = await runProgram(['lsit', '--json']);
    assert.match(
      typo.stderr,
      /^promptharbor: There is no command "lsit"\. Did you mean "list"\? "promptharbor --help" lists all commands\.$/m,
    );
    const alone = await runProgram(['--verison', 'list']);
    assert.equal(alone.code, 2);
    assert.match(alone.stderr, /^promptharbor: There is no option "--verison" without a command\. Did you mean --version\? /);
    const option = await runProgram(['accounts', 'create', '--password', 'x']);
    assert.equal(option.code, 2);
    assert.match(option.stderr, /Unknown option '--password'\.\n/);
    assert.match((await runProgram(['push', '--lable', 'x'])).stderr, /Unknown option '--lable'\. Did you mean --label\?/);
    assert.match(option.stderr, /Usage: promptharbor accounts create/);
  });

  it('each command works on the embedded database while the service uses it, except those that require a stopped service', () =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: dataDir, SECRET_KEY: 'the secret of the service, 32 characters' };
      const service = await serveProgram(env);
      const account = await register(service);
      const created = await runProgram(['accounts', 'create', '--email', 'b@example.com'], env, 'quite another password\n');
      assert.equal(created.code, 0, created.stderr);
      const { token } = JSON.parse(created.stdout) as { token: string };
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 200, 'the key is valid at once');
      const list = await runProgram(['accounts', 'list'], env);
      assert.deepEqual(
        list.stdout
          .trim()
          .split('\n')
          .map((line) => line.split('\t')[1])
          .sort(),
        ['b@example.com', account.email].sort(),
      );
      const cookie = await signIn(service, account);
      const reset = await runProgram(['accounts', 'reset-password', '--email', account.email], env, 'quite another password\n');
      assert.equal(reset.code, 0, reset.stderr);
      assert.equal(await isSignedIn(service, cookie), false);
      const resealed = await runProgram(['keys', 'reseal'], env);
      assert.match(resealed.stdout, /0 model keys with SECRET_KEY\. 2 already used it/);
      const deleted = await runProgram(['accounts', 'delete', '--email', 'b@example.com', '--confirm', 'b@example.com'], env);
      assert.equal(deleted.code, 0, deleted.stderr);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 401, 'the key ends at once');

      const other = { ...env, SECRET_KEY: 'another secret that nobody has started' };
      for (const [args, settings, expected, expectedCode] of [
        [['accounts', 'delete', '--email', 'b@example.com'], env, /There is no account with the email b@example\.com/, 4],
        [['accounts', 'create', '--email', 'c@example.com'], env, /password: Use at least 8 characters/, 2],
        [['accounts', 'create', '--email', 'c'.repeat(70_000)], env, /The arguments are too long to send to the running service\./, 2],
        [['keys', 'reseal'], other, /The running service uses a different SECRET_KEY\. Restart it/, 1],
        [['migrate-to', 'postgres://nobody@127.0.0.1:9/none'], env, /Another PromptHarbor process is using .*Stop it first/, 1],
      ] as const) {
        const { code, stdout, stderr } = await runProgram([...args], settings, 'short\n');
        assert.equal(code, expectedCode, args.join(' '));
        assert.match(stderr, expected);
        assert.doesNotMatch(stderr, /\n\s+at /);
        assert.equal(stdout, '');
      }
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: account.token })).status, 200);
      assert.equal((await service.stop()).code, 0);
    }));
});
