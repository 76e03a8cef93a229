import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { choosePaths } from '../../src/cli/files/file-names.ts';
import { formatPromptFile } from '../../src/cli/files/prompt-file.ts';
import { isCampaign } from '../support/campaign.ts';
import { type CliFolder, cliSettings, createCliFolder } from '../support/cli.ts';
import { type Client, type ListBody, newClient, pathOf, type VersionBody } from '../support/prompts.ts';
import { randomPrompts } from '../support/random-prompts.ts';
import { type Service, startService } from '../support/service.ts';
import { countHandled } from '../support/workspaces.ts';

/** 1000 prompts need at most 30 requests. The suite uses fewer prompts to save time. */
const randomCount = Number(process.env.RANDOM_PROMPTS ?? (isCampaign ? 1000 : 30));

describe('promptharbor pull and push', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function newProject(t: TestContext): Promise<{ client: Client; folder: CliFolder }> {
    const client = await newClient(service);
    return { client, folder: await createCliFolder(t, cliSettings(service, client)) };
  }
  const anotherFolder = (t: TestContext, client: Client) => createCliFolder(t, cliSettings(service, client));
  const templateOf = async (client: Client, name: string) => (await client.get<VersionBody>(`${pathOf(name)}?label=latest`)).template;
  const versionsOf = async (client: Client, name: string) =>
    (await client.get<ListBody<VersionBody>>(pathOf(name, '/versions'))).data.map(({ version }) => version);

  it(`${randomCount} random prompts: pushed, pulled into an empty folder, the same bytes; then both do nothing`, async (t) => {
    const { client, folder } = await newProject(t);
    const prompts = randomPrompts(randomCount);
    const paths = choosePaths(
      prompts.map(({ name }) => name),
      new Map(),
    );
    for (const { name, content } of prompts) await folder.write(`prompts/${paths.get(name)}`, formatPromptFile(name, content));
    const maxRequests = Math.max(4, (randomCount / 1000) * 30);
    const pushed = await countHandled(() => folder.runWell(['push']));
    assert.ok(pushed <= maxRequests, `push: ${pushed} requests`);
    t.diagnostic(`push of ${randomCount} prompts: ${pushed} requests`);
    const files = await folder.files();
    assert.equal(files.size, randomCount + 1);

    const other = await anotherFolder(t, client);
    const pulled = await countHandled(() => other.runWell(['pull']));
    assert.ok(pulled <= maxRequests, `pull: ${pulled} requests`);
    t.diagnostic(`pull of ${randomCount} prompts: ${pulled} requests`);
    assert.deepEqual(await other.files(), files);

    const { headers: before } = await client.call('GET', '/api/prompts');
    assert.equal(await folder.runWell(['push', '--check']), '');
    assert.equal(await folder.runWell(['push']), '');
    assert.equal(await other.runWell(['pull', '--check']), '');
    assert.equal(await other.runWell(['pull']), '');
    assert.equal(await other.runWell(['push']), '');
    assert.deepEqual(await other.files(), files);
    const { headers: after } = await client.call('GET', '/api/prompts');
    assert.equal(after.get('etag'), before.get('etag'), 'nothing was written');
  });

  it('changes on one side are carried over; labels do not move; comments are kept', async (t) => {
    const { client, folder } = await newProject(t);
    await client.create({ name: 'support/reply', template: 'one', description: 'd' });
    await folder.runWell(['pull']);
    const file = 'prompts/support/reply.prompt.yaml';
    assert.equal(await folder.read(file), 'name: support/reply\ndescription: d\ntemplate: one\n');

    await folder.write(file, '# Ours\nname: support/reply\ndescription: d # short\ntemplate: two\n');
    assert.match(await folder.runWell(['push', '-m', 'Better']), /~ support\/reply {2}version 2/);
    const latest = await client.get<VersionBody>(`${pathOf('support/reply')}?label=latest`);
    assert.deepEqual([latest.template, latest.version, latest.message, latest.labels], ['two', 2, 'Better', []]);

    await client.save('support/reply', { template: 'three' });
    assert.match(await folder.runWell(['pull']), /~ support\/reply {2}version 2 → 3/);
    assert.equal(await folder.read(file), '# Ours\nname: support/reply\ndescription: d # short\ntemplate: three\n');
    await folder.write(file, '# Theirs\nname: support/reply\ntemplate: three\n');
    await folder.runWell(['push']);
    assert.deepEqual(await versionsOf(client, 'support/reply'), [3, 2, 1], 'a description makes no version');
    assert.equal((await client.get<ListBody>('/api/prompts')).data[0]?.description, '');
  });

  it('the keys of a config keep the order of the previous version, so that a comparison does not show them as changed', async (t) => {
    const { client, folder } = await newProject(t);
    await client.create({ name: 'a', template: 'x', config: { temperature: 0, responseFormat: { type: 'text' }, model: 'm', top_p: 1 } });
    await folder.runWell(['pull']);
    const text = await folder.read('prompts/a.prompt.yaml');
    await folder.write('prompts/a.prompt.yaml', text.replace('top_p: 1', 'seed: 7').replace('template: x', 'template: y'));
    await folder.runWell(['push']);
    const { config } = await client.get<VersionBody>(`${pathOf('a')}?label=latest`);
    assert.equal(JSON.stringify(config), '{"temperature":0,"responseFormat":{"type":"text"},"model":"m","seed":7}');
  });

  it('new prompts get no label; --label deploys the content of the files, changed or not', async (t) => {
    const { client, folder } = await newProject(t);
    await folder.write('prompts/a.prompt.yaml', 'template: one\n');
    await folder.write('prompts/b.prompt.yml', 'template: one\n');
    await folder.runWell(['push']);
    const labelsOf = async () => (await client.get<ListBody>('/api/prompts')).data.map(({ labels }) => labels);
    assert.deepEqual(await labelsOf(), [{}, {}]);
    await folder.write('prompts/a.prompt.yaml', 'template: two\n');
    assert.match(await folder.runWell(['push', '--label', 'staging', '-l', 'qa']), /> b {2}staging, qa → version 1/);
    assert.deepEqual(await labelsOf(), [
      { qa: 2, staging: 2 },
      { qa: 1, staging: 1 },
    ]);
    assert.equal(await folder.runWell(['push', '--label', 'staging']), '');
    assert.deepEqual(await versionsOf(client, 'b'), [1]);
  });

  it('changed on both sides: exit 1, both kept, nothing pushed; --ours and --theirs decide by name', async (t) => {
    const { client, folder } = await newProject(t);
    for (const name of ['a', 'b', 'c', 'd']) await client.create({ name, template: 'base' });
    await folder.runWell(['pull']);
    for (const name of ['a', 'b', 'c']) {
      await client.save(name, { template: 'theirs' });
      await folder.write(`prompts/${name}.prompt.yaml`, `name: ${name}\ntemplate: ours\n`);
    }
    await folder.write('prompts/d.prompt.yaml', 'name: d\ntemplate: mine alone\n');
    const refused = await folder.run(['push']);
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /! a {2}file changed, and changed on the service in version 2/);
    assert.match(refused.stderr, /--ours <name> or --theirs <name>.*Nothing was pushed/s);
    assert.equal(await templateOf(client, 'd'), 'base');
    const before = await folder.files();
    const pull = await folder.run(['pull', '--json']);
    assert.equal(pull.code, 1);
    assert.equal(JSON.parse(pull.stdout).conflicts, 3);
    assert.deepEqual(await folder.files(), before, 'no file was touched');

    assert.equal((await folder.run(['pull', '--theirs', 'a', '--ours', 'b'])).code, 1, 'c is still in conflict');
    const kept = await folder.run(['pull', 'c', '--ours', 'c', '--dry-run']);
    assert.deepEqual([kept.code, kept.stdout], [0, '? c  the file is kept\n']);
    assert.match(kept.stderr, /^1 file would be kept\. To save it on the service, run "promptharbor push"\.\n$/);
    assert.match(await folder.read('prompts/a.prompt.yaml'), /theirs/);
    assert.match(await folder.read('prompts/b.prompt.yaml'), /ours/);
    await folder.runWell(['push', '--ours', 'c']);
    for (const [name, template] of [
      ['a', 'theirs'],
      ['b', 'ours'],
      ['c', 'ours'],
      ['d', 'mine alone'],
    ]) {
      assert.equal(await templateOf(client, name ?? ''), template);
    }
    assert.equal(await folder.runWell(['status']), '');
  });

  it('the same change on both sides is not a conflict, even without a lock file', async (t) => {
    const { client, folder } = await newProject(t);
    await client.create({ name: 'a', template: 'base' });
    await folder.runWell(['pull']);
    await client.save('a', { template: 'same' });
    await folder.write('prompts/a.prompt.yaml', 'name: a\ntemplate: same\n');
    assert.equal(await folder.runWell(['pull', '--check']), '');
    await folder.runWell(['push']);
    await folder.remove('promptharbor.lock');
    assert.equal(await folder.runWell(['push']), '');
    assert.match(await folder.read('promptharbor.lock'), /"a": \{ "version": 2/);
    await folder.remove('promptharbor.lock');
    await folder.write('prompts/a.prompt.yaml', 'name: a\ntemplate: other\n');
    assert.equal((await folder.run(['push'])).code, 1, 'without a lock, nobody knows which is newer');
  });

  it('deletions are carried over only with --prune', async (t) => {
    const { client, folder } = await newProject(t);
    for (const name of ['x/here', 'x/there']) await client.create({ name, template: 'x' });
    await folder.runWell(['pull']);
    await folder.remove('prompts/x/here.prompt.yaml');
    await client.call('DELETE', pathOf('x/there'));
    const { stderr } = await folder.run(['status']);
    assert.match(
      stderr,
      /^"promptharbor pull --prune" deletes .*\n"promptharbor push --prune" deletes .*\n"promptharbor pull --theirs <name>" restores/,
    );
    assert.doesNotMatch(stderr, /gets|saves/);
    assert.match(await folder.runWell(['push']), /\? x\/here {2}file deleted; use --prune to delete the prompt/);
    assert.match(await folder.runWell(['pull']), /\? x\/there {2}deleted on the service; use --prune to delete the file/);
    assert.equal(await templateOf(client, 'x/here'), 'x');
    assert.match(await folder.runWell(['pull', '--prune']), /- x\/there/);
    assert.match(await folder.runWell(['push', '--prune']), /- x\/here/);
    assert.deepEqual([...(await folder.files()).keys()], ['promptharbor.lock'], 'the empty folder is gone too');
    assert.equal((await client.call('GET', pathOf('x/here'))).status, 404);
  });

  it('--dry-run and --check change nothing; --check tells by its exit code', async (t) => {
    const { client, folder } = await newProject(t);
    await client.create({ name: 'there', template: 'x' });
    await folder.write('prompts/here.prompt.yaml', 'template: x\n');
    const before = await folder.files();
    for (const command of ['pull', 'push']) {
      assert.equal((await folder.run([command, '--dry-run'])).code, 0);
      assert.equal((await folder.run([command, '--check'])).code, 1);
    }
    assert.equal((await folder.run(['status', '--check'])).code, 1);
    assert.equal((await folder.run(['diff', 'there'])).code, 1);
    assert.deepEqual(await folder.files(), before);
    assert.equal((await client.get<ListBody>('/api/prompts')).data.length, 1);
  });

  it('if one prompt cannot be saved, none is saved, and the error names it', async (t) => {
    const { client, folder } = await newProject(t);
    await folder.write('prompts/good.prompt.yaml', 'template: x\n');
    await folder.write('prompts/bad.prompt.yaml', 'template: "{% if %}"\n');
    const { code, stderr } = await folder.run(['push']);
    assert.equal(code, 1);
    assert.match(stderr, /^promptharbor: bad: The template has a syntax error\n {2}template:1:6: /);
    assert.deepEqual((await client.get<ListBody>('/api/prompts')).data, []);
  });

  it('push --strict: an included prompt of a later batch is not missing', async (t) => {
    const { client, folder } = await newProject(t);
    for (let index = 0; index < 60; index += 1) await folder.write(`prompts/p${index}.prompt.yaml`, 'template: "{% render \'z\' %}"\n');
    await folder.write('prompts/z.prompt.yaml', 'template: Kind\n');
    const { code, stderr } = await folder.run(['push', '--strict', '--label', 'production']);
    assert.deepEqual([code, stderr.includes('There is no prompt')], [0, false], stderr);
    assert.match((await client.render('p0', {})).text, /Kind/);
  });

  it('two concurrent pushes create each version once', async (t) => {
    const { client, folder } = await newProject(t);
    const other = await anotherFolder(t, client);
    for (const [index, target] of [folder, other].entries()) {
      await target.write('prompts/same.prompt.yaml', 'template: same\n');
      await target.write(`prompts/own-${index}.prompt.yaml`, 'template: x\n');
    }
    await Promise.all([folder.runWell(['push']), other.runWell(['push'])]);
    assert.deepEqual(await versionsOf(client, 'same'), [1]);
    assert.equal((await client.get<ListBody>('/api/prompts')).data.length, 3);
  });

  it('killed halfway: the next run continues', async (t) => {
    const { client, folder } = await newProject(t);
    const names = Array.from({ length: 50 }, (_, index) => `p${index}`);
    await client.call('POST', '/api/prompts/batch', { items: names.map((name) => ({ name, template: 'x' })) });
    const killed = folder.start(['pull']);
    // Waits until the first file exists, long before the command has written all files.
    for (let found = 0; found === 0; ) {
      found = (await folder.files()).size;
      await new Promise((resolve) => setImmediate(resolve));
    }
    killed.child.kill('SIGKILL');
    await killed.finished;
    await folder.runWell(['pull']);
    assert.equal(await folder.runWell(['push', '--check']), '');
    const prompts = [...(await folder.files()).keys()].filter((path) => path.endsWith('.prompt.yaml'));
    assert.equal(prompts.length, 50);
  });

  it('symbolic links, a name that does not fit the path, and broken files are refused before anything happens', async (t) => {
    const { client, folder } = await newProject(t);
    await client.create({ name: 'linked/a', template: 'x' });
    await mkdir(join(folder.path, 'outside'));
    await mkdir(join(folder.path, 'prompts'));
    await symlink(join(folder.path, 'outside'), join(folder.path, 'prompts/linked'));
    await folder.write('prompts/moved.prompt.yaml', 'name: other\ntemplate: x\n');
    await folder.write('prompts/broken.prompt.yaml', 'template: [\n');
    for (const command of ['pull', 'push', 'status']) {
      const { code, stderr } = await folder.run([command]);
      assert.equal(code, 1);
      assert.match(stderr, /linked: This is a symbolic link/);
      assert.match(stderr, /moved\.prompt\.yaml: The prompt is named "other"\. Move the file to prompts\/other\.prompt\.yaml/);
      assert.match(stderr, /broken\.prompt\.yaml:2: Not valid YAML/);
    }
    assert.deepEqual(
      [...(await folder.files()).keys()].filter((path) => path.startsWith('outside')),
      [],
    );
  });

  it('a lock file of another workspace, and one with a merge conflict, are refused', async (t) => {
    const { folder } = await newProject(t);
    await folder.write('promptharbor.lock', '{ "lockVersion": 1, "workspace": "u_other", "prompts": {} }');
    assert.match((await folder.run(['pull'])).stderr, /belongs to the workspace u_other/);
    await folder.write('promptharbor.lock', '<<<<<<< HEAD\n{}');
    assert.match((await folder.run(['pull'])).stderr, /merge conflict/);
  });

  it('arguments select by name and by folder', async (t) => {
    const { client, folder } = await newProject(t);
    for (const name of ['a', 'a/b', 'ab', 'c']) await client.create({ name, template: 'x' });
    await folder.runWell(['pull', 'a']);
    const prompts = [...(await folder.files()).keys()].filter((path) => path.endsWith('.prompt.yaml'));
    assert.deepEqual(prompts, ['prompts/a.prompt.yaml', 'prompts/a/b.prompt.yaml']);
    const unknown = await folder.run(['pull', 'nothing']);
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [4, 'promptharbor: There is no prompt or folder "nothing" in the files or on the service.\n'],
    );
  });
});
