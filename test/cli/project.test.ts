import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CliFolder, cliSettings, createCliFolder } from '../support/cli.ts';
import { register } from '../support/client.ts';
import { newClient } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

/** Makes the program treat its standard input as a terminal, although the test writes the answers. */
const atTerminal = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent('process.stdin.isTTY = true;')}` };

describe('promptharbor: projects', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const credentialsOf = async (folder: CliFolder) =>
    JSON.parse(await readFile(join(folder.path, '../settings/promptharbor/credentials.json'), 'utf8'));

  it('lint, push, status and diff in a folder that is not a project exit with 2, and write nothing', async (t) => {
    const client = await newClient(service);
    await client.create({ name: 'a', template: 'x' });
    const folder = await createCliFolder(t, cliSettings(service, client));
    await folder.write('prompts/notes.txt', 'no prompt');
    for (const args of [['lint'], ['lint', '--offline'], ['push'], ['push', '--prune'], ['status'], ['diff']]) {
      const { code, stdout, stderr } = await folder.run(args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, /^promptharbor: This folder is not a project\. .*"promptharbor init".*"promptharbor pull"/);
    }
    assert.deepEqual([...(await folder.files()).keys()], ['prompts/notes.txt']);
    await folder.runWell(['pull']);
    for (const command of ['lint', 'push', 'status', 'diff']) await folder.runWell([command]);
  });

  it('a project without prompts is a project: promptharbor.json or the lock file is enough', async (t) => {
    const client = await newClient(service);
    const folder = await createCliFolder(t, cliSettings(service, client));
    await folder.write('promptharbor.json', '{}');
    await folder.runWell(['lint']);
    await folder.runWell(['push']);
    await folder.remove('promptharbor.json');
    await folder.runWell(['push']);
  });

  it('login signs in at the address that was given to init', async (t) => {
    const account = await register(service);
    const folder = await createCliFolder(t, {});
    await folder.runWell(['init', '--url', service.url]);
    const { code, stderr } = await folder.run(['login'], `${account.email}\n${account.password}\n`);
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(await folder.runWell(['whoami', '--json'])).userId, account.userId);
  });

  it('login asks once on a terminal whether to trust the address of promptharbor.json, and remembers the answer', async (t) => {
    const account = await register(service);
    const folder = await createCliFolder(t, atTerminal);
    await folder.write('promptharbor.json', JSON.stringify({ url: service.url }));
    const args = ['login', '--email', account.email];
    const refused = await folder.run(args, `no\n${account.password}\n`);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /promptharbor\.json names .*Sign in there\? \(y\/N\)/);
    const accepted = await folder.run(args, `y\n${account.password}\n`);
    assert.equal(accepted.code, 0, accepted.stderr);
    await folder.runWell(['logout']);
    const again = await folder.run(args, `${account.password}\n`);
    assert.equal(again.code, 0, again.stderr);
    assert.doesNotMatch(again.stderr, /\(y\/N\)/);
  });

  it('a key from the environment without an address is used at the address of the project in CI, and nowhere else without a terminal', async (t) => {
    const client = await newClient(service);
    const project = JSON.stringify({ url: service.url });
    const inCi = await createCliFolder(t, { PROMPTHARBOR_API_KEY: client.token, CI: 'true' });
    await inCi.write('promptharbor.json', project);
    assert.match(await inCi.runWell(['whoami']), new RegExp(`Service +${service.url}`));
    const cloned = await createCliFolder(t, { PROMPTHARBOR_API_KEY: client.token });
    await cloned.write('promptharbor.json', project);
    const { code, stderr } = await cloned.run(['whoami']);
    assert.equal(code, 2);
    assert.match(stderr, /Nothing was sent.*PROMPTHARBOR_URL=/);
  });

  it('a person at a terminal is asked once before a key from the environment is sent to the address of the project', async (t) => {
    const client = await newClient(service);
    const folder = await createCliFolder(t, { PROMPTHARBOR_API_KEY: client.token, ...atTerminal });
    await folder.write('promptharbor.json', JSON.stringify({ url: service.url }));
    const refused = await folder.run(['whoami'], '\n');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /Send the key in PROMPTHARBOR_API_KEY there\? \(y\/N\).*Nothing was sent.*PROMPTHARBOR_URL=/s);
    assert.equal((await folder.run(['whoami'], 'yes\n')).code, 0);
    assert.deepEqual((await credentialsOf(folder)).trusted, [service.url]);
    assert.equal((await folder.run(['whoami'])).code, 0);
  });
});
