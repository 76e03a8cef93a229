import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { commands } from '../../src/cli/commands.ts';
import { cliSettings, createCliFolder } from '../support/cli.ts';
import { runProgram } from '../support/process.ts';
import { type Client, newClient } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

const program = fileURLToPath(new URL('../../bin/promptharbor.js', import.meta.url));

describe('promptharbor completion', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService();
    client = await newClient(service);
    for (const name of ['support/reply', 'support/triage', 'shared/$(touch hacked) `touch hacked`']) {
      await client.create({ name, template: 'x', labels: ['production', 'staging'] });
    }
  });
  after(() => service.close());

  for (const shell of ['bash', 'zsh', 'fish']) {
    it(`${shell}: knows every command and option, and is valid where ${shell} is installed`, async (t) => {
      const { code, stdout } = await runProgram(['completion', shell]);
      assert.equal(code, 0);
      for (const { name, options = {} } of commands) {
        for (const word of [...name.split(' '), ...Object.keys(options)]) assert.ok(stdout.includes(word), word);
      }
      const folder = await createCliFolder(t, {});
      await folder.write('script', stdout);
      const { status, error, stderr } = spawnSync(shell, ['-n', 'script'], { cwd: folder.path, encoding: 'utf8' });
      if (error) t.diagnostic(`${shell} is not installed`);
      else assert.equal(status, 0, stderr);
    });
  }

  /** Returns a function that completes the last of some words in a shell. The shell runs in a separate folder. */
  async function createCompleter(t: TestContext, shell: 'bash' | 'fish', settings: Record<string, string>) {
    const folder = await createCliFolder(t, settings);
    const script = await folder.runWell(['completion', shell]);
    const env = {
      PATH: process.env.PATH,
      HOME: folder.path,
      XDG_CONFIG_HOME: folder.path,
      NODE: process.execPath,
      PROGRAM: program,
      ...settings,
    };
    const complete = async (...words: string[]): Promise<string[]> => {
      const steps = {
        bash: `promptharbor() { "$NODE" "$PROGRAM" "$@"; }\n${script}\nCOMP_WORDS=(promptharbor ${words.map((word) => `'${word}'`).join(' ')})
          COMP_CWORD=${words.length}; _promptharbor; printf '%s\\n' "\${COMPREPLY[@]}"`,
        fish: `function promptharbor; $NODE $PROGRAM $argv; end\n${script}\ncomplete -C 'promptharbor ${words.join(' ')}'`,
      };
      const { stdout, stderr } = await promisify(execFile)(shell, ['-c', steps[shell]], { cwd: folder.path, env });
      assert.equal(stderr, '');
      return stdout
        .split('\n')
        .map((line) => line.split('\t')[0] ?? '')
        .filter((line) => line !== '');
    };
    return { folder, complete };
  }

  it('bash: completes commands, second words and options', async (t) => {
    const { complete } = await createCompleter(t, 'bash', {});
    assert.deepEqual(await complete('pu'), ['pull', 'push']);
    assert.deepEqual(await complete('accounts', 'l'), ['list']);
    assert.deepEqual(await complete('pull', '--p'), ['--prune']);
  });

  for (const shell of ['bash', 'fish'] as const) {
    const skip = spawnSync(shell, ['--version']).status !== 0 && `${shell} is not installed`;
    it(`${shell}: completes prompts and labels with any names, and files where neither is expected`, { skip }, async (t) => {
      const { folder, complete } = await createCompleter(t, shell, cliSettings(service, client));
      for (const command of ['get', 'render', 'check', 'deploy', 'rollback', 'pull', 'push']) {
        assert.deepEqual(await complete(command, 'support/'), ['support/reply', 'support/triage'], command);
      }
      assert.deepEqual(await complete('get', 'support/t'), ['support/triage']);
      assert.deepEqual(await complete('pull', '--theirs', 'supp'), ['support/reply', 'support/triage']);
      assert.deepEqual(await complete('get', 'support/reply', '--label', ''), ['latest', 'production', 'staging']);
      assert.deepEqual(await complete('get', 'support/reply', '-l', 's'), ['staging']);
      const [evil] = await complete('get', 'shared/');
      const said = spawnSync(shell, ['-c', `printf %s ${shell === 'bash' ? evil : `'${evil}'`}`], { encoding: 'utf8', cwd: folder.path });
      assert.equal(said.stdout, 'shared/$(touch hacked) `touch hacked`', 'as one word that runs nothing');
      await folder.write('variables.json', '{}');
      assert.deepEqual(await complete('push', 'var'), ['variables.json']);
      assert.deepEqual(
        [...(await folder.files()).keys()].filter((file) => file.includes('hacked')),
        [],
      );
    });
  }

  it('prompts of the lock file are known without a service, silently', async (t) => {
    const folder = await createCliFolder(t, { PROMPTHARBOR_URL: 'http://127.0.0.1:1', PROMPTHARBOR_API_KEY: client.token });
    await folder.write('promptharbor.lock', '{"lockVersion":1,"workspace":"u_1","prompts":{"a/b":{"version":1,"digest":"x"}}}');
    assert.deepEqual(await folder.run(['completion', 'prompts', 'a']), { code: 0, stdout: 'a/b\n', stderr: '' });
    assert.deepEqual(await folder.run(['completion', 'labels', 'p']), { code: 0, stdout: 'production\n', stderr: '' });
    await folder.write('promptharbor.lock', 'broken');
    await folder.write('promptharbor.json', 'broken');
    assert.deepEqual(await folder.run(['completion', 'prompts', 'a']), { code: 0, stdout: '', stderr: '' });
  });

  it('a service that accepts the connection and never responds does not keep a person waiting', async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const folder = await createCliFolder(t, { PROMPTHARBOR_URL: url, PROMPTHARBOR_API_KEY: client.token });
    assert.deepEqual(await folder.run(['completion', 'prompts']), { code: 0, stdout: '', stderr: '' });
  });

  it('sends no key to an address that only promptharbor.json names', async (t) => {
    const folder = await createCliFolder(t, { PROMPTHARBOR_API_KEY: client.token, CI: 'true' });
    await folder.write('promptharbor.json', JSON.stringify({ url: service.url }));
    assert.equal(await folder.runWell(['completion', 'prompts', 'support/']), '');
    assert.match(await folder.runWell(['list']), /support\/reply/, 'a command does, in CI');
    const trusting = await createCliFolder(t, { PROMPTHARBOR_API_KEY: client.token });
    await trusting.runWell(['init', '--url', service.url]);
    assert.equal(await trusting.runWell(['completion', 'prompts', 'support/']), 'support/reply\nsupport/triage\n');
  });

  it('another shell is refused; exit 2', async () => {
    assert.equal((await runProgram(['completion', 'tcsh'])).code, 2);
  });
});
