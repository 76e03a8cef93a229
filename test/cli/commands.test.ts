import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { call, register } from '../support/client.ts';
import { runProgram, serveProgram, withDataDir } from '../support/process.ts';

describe('promptharbor: all commands', () => {
  it('--help, -h, help and no argument list every command; exit 0', async () => {
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
      assert.deepEqual(await runProgram(['help', 'accounts', 'create']), { code, stdout, stderr: '' });
      assert.match((await runProgram(['help', 'accounts'])).stdout, /promptharbor accounts list/);
      assert.equal((await runProgram(['help', 'nothing'])).code, 2);
    }));

  it('an unknown command or option is refused with the usage; exit 2', async () => {
    const command = await runProgram(['accounts', 'destroy']);
    assert.equal(command.code, 2);
    assert.match(command.stderr, /^promptharbor: there is no command "accounts destroy"\.\n\nPromptHarbor keeps/);
    const option = await runProgram(['accounts', 'create', '--password', 'x']);
    assert.equal(option.code, 2);
    assert.match(option.stderr, /Unknown option '--password'/);
    assert.match(option.stderr, /Usage: promptharbor accounts create/);
  });

  it('each that needs the embedded database is refused while the service runs on it', () =>
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
      assert.equal(doctor.code, 0, 'it only looks');
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: account.token })).status, 200);
      await service.stop();
    }));
});
