import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { type CliFolder, cliSettings, createCliFolder } from '../support/cli.ts';
import { runProgram } from '../support/process.ts';
import { type Client, type ListBody, newClient } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

describe('promptharbor: paths of files', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  /** Creates a project with one valid and two invalid prompts, and functions that run commands in its folders. */
  async function newProject(t: TestContext) {
    const client = await newClient(service);
    const settings = cliSettings(service, client);
    const folder = await createCliFolder(t, settings);
    await folder.write('promptharbor.json', '{"folder":"src/prompts"}');
    await folder.write('src/prompts/support/triage.prompt.yaml', 'template: "{{ request }}"\n');
    const runIn = (path: string, args: string[], env = {}) => runProgram(args, { ...settings, ...env }, '', join(folder.path, path));
    return { client, folder, runIn };
  }
  const namesOf = async (client: Client) => (await client.get<ListBody>('/api/prompts')).data.map(({ name }) => name);
  const breakFile = (folder: CliFolder) => folder.write('src/prompts/a,b.prompt.yaml', 'template: |\n  100%\n  {% if x %}\n');

  it('lint and diff show paths relative to the working directory, so that they can be opened', async (t) => {
    const { folder, runIn } = await newProject(t);
    await breakFile(folder);
    assert.match((await runIn('.', ['lint'])).stdout, /^src\/prompts\/a,b\.prompt\.yaml:3: Tag/);
    assert.match((await runIn('src', ['lint'])).stdout, /^prompts\/a,b\.prompt\.yaml:3: Tag/);
    assert.match((await runIn('src/prompts/support', ['lint'])).stdout, /^\.\.\/a,b\.prompt\.yaml:3: Tag/);
    const [finding] = JSON.parse((await runIn('src', ['lint', '--json'])).stdout).findings;
    assert.deepEqual([finding.path, finding.line], ['prompts/a,b.prompt.yaml', 3]);
    assert.match((await runIn('src', ['diff', 'support'])).stdout, /^--- \/dev\/null\n\+\+\+ prompts\/support\/triage\.prompt\.yaml\n/);

    await folder.write('src/prompts/a,b.prompt.yaml', 'tmplate: x\n');
    await folder.write('src/prompts/c.prompt.yaml', 'name: d\ntemplate: x\n');
    const { stderr } = await runIn('src', ['push']);
    assert.match(stderr, /^ {2}prompts\/a,b\.prompt\.yaml: Unknown key/m);
    assert.match(stderr, /^ {2}prompts\/c\.prompt\.yaml: The prompt is named "d"\. Move the file to prompts\/d\.prompt\.yaml/m);
  });

  it('push, pull, status, diff and lint take the path of a file or folder in place of a name', async (t) => {
    const { client, folder, runIn } = await newProject(t);
    await folder.write('src/prompts/other.prompt.yaml', 'template: other\n');
    const triage = 'src/prompts/support/triage.prompt.yaml';
    assert.equal((await runIn('.', ['lint', triage])).stderr.split('\n').at(-2), '1 file checked, 0 findings.');
    const pushed = await runIn('.', ['push', triage]);
    assert.deepEqual([pushed.code, await namesOf(client)], [0, ['support/triage']], pushed.stderr);
    assert.match((await runIn('src/prompts', ['status', 'other.prompt.yaml'])).stdout, /^added here +other\n$/);
    assert.equal((await runIn('src', ['diff', './prompts/support/'])).code, 0);
    for (const [path, arg] of [
      ['.', 'src/prompts'],
      ['.', '.'],
      ['src', join(folder.path, 'src/prompts/other.prompt.yaml')],
    ] as const) {
      assert.match((await runIn(path, ['push', '--dry-run', arg])).stdout, /^\+ other /, arg);
    }
    await folder.remove(triage);
    assert.equal((await runIn('.', ['pull', triage, '--theirs', 'support/triage'])).code, 0);
    assert.match(await folder.read(triage), /request/);

    for (const arg of ['src/prompts/none.prompt.yaml', 'promptharbor.json', '..', '/etc/passwd']) {
      const { code, stderr } = await runIn('.', ['push', arg]);
      assert.equal(code, 4, arg);
      assert.match(stderr, /There is no prompt or folder ".*" in the files or on the service\./);
    }
    await folder.write('src/prompts/broken.prompt.yaml', 'tmplate: x\n');
    const broken = await runIn('.', ['lint', 'src/prompts/broken.prompt.yaml']);
    assert.deepEqual([broken.code, broken.stdout.split(':')[0]], [1, 'src/prompts/broken.prompt.yaml'], 'a file that cannot be read');
    assert.equal((await runIn('.', ['lint', 'broken'])).code, 1, 'by the name in its path');
    const one = await runIn('.', ['lint', triage]);
    assert.deepEqual([one.code, one.stdout], [0, ''], 'a commit is not refused because of a file that is not part of it');
  });

  it('a name takes precedence over a path', async (t) => {
    const { client, folder, runIn } = await newProject(t);
    await folder.write('src/prompts/src/prompts.prompt.yaml', 'template: x\n');
    await runIn('.', ['push', 'src/prompts']);
    assert.deepEqual(await namesOf(client), ['src/prompts']);
  });

  it('lint --format github prints an annotation for each finding, whatever is in its text', async (t) => {
    const { folder, runIn } = await newProject(t);
    await breakFile(folder);
    await folder.write('src/prompts/c.prompt.yaml', 'template: "{% render \'x\' %}"\nvariables:\n  "a%\\n::error::b": {}\n');
    const { code, stdout } = await runIn('src', ['lint', '--format', 'github'], { GITHUB_WORKSPACE: folder.path });
    assert.equal(code, 1);
    assert.deepEqual(stdout.trimEnd().split('\n').sort(), [
      '::error file=src/prompts/a%2Cb.prompt.yaml,line=3::Tag {%25 if x %25} not closed (line 2, column 1 of the template)',
      '::error file=src/prompts/c.prompt.yaml::variables/a%25%0A::error::b: use up to 100 letters, digits and underscores, not starting with a digit',
    ]);
    assert.match((await runIn('src', ['lint', '--format', 'github'])).stdout, /^::error file=prompts\//, 'outside of a workflow');
    assert.deepEqual(JSON.parse((await runIn('.', ['lint', '--format', 'json'])).stdout).checked, 3);
    assert.equal((await runIn('.', ['lint', '--format', 'xml'])).code, 2);
  });
});
