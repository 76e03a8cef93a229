import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { call, register } from '../support/client.ts';
import { runProgram, serveProgram, withDataDir } from '../support/process.ts';

const email = 'ada@example.com';
const password = 'a long enough password';

describe('promptharbor, the command line', () => {
  it('--help, help and nothing at all list every command; exit 0', async () => {
    for (const args of [['--help'], ['-h'], ['help'], []]) {
      const { code, stdout, stderr } = await runProgram(args);
      assert.equal(code, 0);
      assert.equal(stderr, '');
      for (const command of ['serve', 'accounts list', 'accounts create', 'accounts reset-password', 'keys reseal', 'doctor']) {
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
    }));

  it('an unknown command or option: what there is, exit 2 and 1', async () => {
    const command = await runProgram(['accounts', 'destroy']);
    assert.equal(command.code, 2);
    assert.match(command.stderr, /^promptharbor: there is no command "accounts destroy"\.\n\nPromptHarbor keeps/);
    const option = await runProgram(['accounts', 'create', '--password', 'x']);
    assert.equal(option.code, 1);
    assert.match(option.stderr, /Unknown option '--password'/);
    assert.match(option.stderr, /Usage: promptharbor accounts create/);
  });

  it('accounts create: takes the password from standard input, also while registration is closed; accounts list: shows it', () =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: dataDir, REGISTRATION: 'closed' };
      const { code, stdout } = await runProgram(['accounts', 'create', '--email', email, '--name', 'Ada'], env, `${password}\n`);
      assert.equal(code, 0);
      const info = JSON.parse(stdout) as { token: string; userId: string };
      assert.deepEqual(info, { token: info.token, userId: info.userId, email, name: 'Ada' });

      const list = await runProgram(['accounts', 'list'], env);
      assert.equal(list.code, 0);
      assert.match(list.stdout, new RegExp(`^${info.userId}\t${email}\tAda\t\\d{4}-[^\\t]*Z\n$`));

      for (const [args, input, expected] of [
        [['--email', email], `${password}\n`, /An account with this email already exists/],
        [['--email', 'no address'], `${password}\n`, /email: Not an e-mail address/],
        [['--email', 'b@example.com'], 'short\n', /password: Use at least 8 characters/],
        [['--email', 'b@example.com'], '', /No password was given/],
        [[], `${password}\n`, /--email is missing/],
      ] as const) {
        const refused = await runProgram(['accounts', 'create', ...args], env, input);
        assert.equal(refused.code, 1);
        assert.match(refused.stderr, expected);
        assert.doesNotMatch(refused.stderr, /\n\s+at /);
      }

      const service = await serveProgram(env);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: info.token })).status, 200);
      await service.stop();
    }));

  it('accounts reset-password: sets a new one and ends the sessions; the key stays', () =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      const { token } = JSON.parse((await runProgram(['accounts', 'create', '--email', email], env, `${password}\n`)).stdout) as {
        token: string;
      };
      const reset = await runProgram(['accounts', 'reset-password', '--email', email.toUpperCase()], env, 'quite another password\n');
      assert.equal(reset.code, 0, reset.stderr);
      const unknown = await runProgram(['accounts', 'reset-password', '--email', 'nobody@example.com'], env, 'quite another password\n');
      assert.equal(unknown.code, 1);
      assert.match(unknown.stderr, /There is no account with the e-mail nobody@example\.com/);

      const service = await serveProgram(env);
      const login = (typed: string) => call(service, 'POST', '/api/auth/token', { body: { email, password: typed } });
      assert.equal((await login(password)).status, 401);
      assert.equal(((await login('quite another password')).body as { token: string }).token, token);
      await service.stop();
    }));

  it('keys reseal: from SECRET_KEY_PREVIOUS to SECRET_KEY, after which the previous is not needed', () =>
    withDataDir(async (dataDir) => {
      const before = { DATA_DIR: dataDir, SECRET_KEY: 'the first secret, 32 characters long' };
      const after = { DATA_DIR: dataDir, SECRET_KEY: 'the second secret, 32 characters long' };
      const both = { ...after, SECRET_KEY_PREVIOUS: before.SECRET_KEY };
      const { token } = JSON.parse((await runProgram(['accounts', 'create', '--email', email], before, `${password}\n`)).stdout) as {
        token: string;
      };

      assert.match((await runProgram(['keys', 'reseal'], after)).stderr, /The secret does not fit this database/);
      const reseal = await runProgram(['keys', 'reseal'], both);
      assert.equal(reseal.code, 0, reseal.stderr);
      assert.match(reseal.stdout, /^Encrypted 1 keys and 0 two-factor secrets with SECRET_KEY, 0 already were/);
      assert.match(
        (await runProgram(['keys', 'reseal'], both)).stdout,
        /^Encrypted 0 keys and 0 two-factor secrets with SECRET_KEY, 1 already were/,
      );

      const service = await serveProgram(after);
      const login = await call(service, 'POST', '/api/auth/token', { body: { email, password } });
      assert.equal((login.body as { token: string }).token, token);
      await service.stop();
      assert.equal((await runProgram(['accounts', 'list'], before)).code, 1, 'the first secret is of no more use');
    }));

  it('doctor: good; and what is wrong, with exit 1', () =>
    withDataDir(async (dataDir) => {
      const good = await runProgram(['doctor'], { DATA_DIR: dataDir });
      assert.equal(good.code, 0, good.stdout);
      assert.match(good.stdout, /^ok {6}settings: /);
      assert.doesNotMatch(good.stdout, /FAILED/);

      await writeFile(join(dataDir, 'file'), '');
      for (const [env, expected] of [
        [{ PORT: 'x', LOG_LEVEL: 'y' }, /^FAILED {2}settings: Invalid settings:\n {2}PORT: .*\n {2}LOG_LEVEL: /],
        [{ DATA_DIR: join(dataDir, 'file') }, /FAILED {2}database and secret: Cannot write to/],
        [
          { DATA_DIR: dataDir, SECRET_KEY: 'not the secret of this database, no' },
          /FAILED {2}database and secret: The secret does not fit/,
        ],
      ] as const) {
        const bad = await runProgram(['doctor'], env);
        assert.equal(bad.code, 1);
        assert.match(bad.stdout, expected);
      }
    }));

  it('each is refused while the service runs on the file', () =>
    withDataDir(async (dataDir) => {
      const env = { DATA_DIR: dataDir };
      const service = await serveProgram(env);
      const account = await register(service);
      const commands = [
        ['accounts', 'list'],
        ['accounts', 'create', '--email', 'b@example.com'],
        ['accounts', 'reset-password', '--email', account.email],
        ['keys', 'reseal'],
      ];
      await Promise.all(
        commands.map(async (args) => {
          const { code, stdout, stderr } = await runProgram(args, env, 'quite another password\n');
          assert.equal(code, 1, args.join(' '));
          assert.match(stderr, /^promptharbor: Another PromptHarbor is using .*promptharbor\.db\. Stop it first/);
          assert.equal(stdout, '');
        }),
      );
      const doctor = await runProgram(['doctor'], env);
      assert.equal(doctor.code, 1);
      assert.match(doctor.stdout, /FAILED {2}database and secret: Another PromptHarbor is using/);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: account.token })).status, 200);
      await service.stop();
    }));
});
