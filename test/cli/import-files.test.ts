import assert from 'node:assert/strict';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { examples } from '../formats/support.ts';
import { type CliFolder, cliSettings, createCliFolder } from '../support/cli.ts';
import { type Client, type ListBody, newClient, pathOf, type VersionBody } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

describe('promptharbor import dotprompt, prompty and promptfoo', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function newFolder(t: TestContext): Promise<{ client: Client; folder: CliFolder }> {
    const client = await newClient(service);
    const folder = await createCliFolder(t, cliSettings(service, client));
    await cp(examples, join(folder.path, 'files'), { recursive: true });
    return { client, folder };
  }
  const etagOf = async (client: Client) => (await client.call('GET', '/api/prompts')).headers.get('etag');

  it('leaves out prompts that the user skips, and keeps tags as text on request', async (t) => {
    const { client, folder } = await newFolder(t);
    const options = ['import', 'dotprompt', 'files/dotprompt', '--as-text', '--skip', 'plain', '--skip', 'support/reply'];
    const { stdout } = await folder.run(options);
    assert.match(stdout, /warning orders\.prompt:11: \{\{> signature\}\}: .*; kept as text/);
    const { data } = await client.get<ListBody>('/api/prompts');
    assert.deepEqual(
      data.map(({ name }) => name),
      ['greeting', 'greeting.formal', 'orders'],
    );
    assert.equal((await folder.run(['import', 'dotprompt', 'files/dotprompt', '--skip', 'unknown'])).code, 2);
  });

  it('a dry run saves nothing; an import says what it did, line by line; a second one changes nothing', async (t) => {
    const { client, folder } = await newFolder(t);
    const dry = await folder.run(['import', 'dotprompt', 'files/dotprompt', '--dry-run']);
    assert.equal(dry.code, 1, 'one of the files cannot be imported');
    assert.match(dry.stdout, /\+ support\/reply {2}new, without a label/);
    assert.match(dry.stdout, /! orders {2}not imported; see orders\.prompt/);
    assert.match(dry.stdout, /note orders\.prompt:6: \{\{#each orders\}\}: Converted to \{% for order in orders %\}/);
    assert.match(dry.stdout, /error orders\.prompt:11: \{\{> signature\}\}: Liquid does not support Handlebars partials/);
    assert.match(dry.stderr, /4 prompts would be imported, 0 unchanged, 1 refused/);
    assert.deepEqual((await client.get<ListBody>('/api/prompts')).data, []);

    assert.equal((await folder.run(['import', 'dotprompt', 'files/dotprompt'])).code, 1);
    const { data } = await client.get<ListBody>('/api/prompts');
    assert.deepEqual(
      data.map(({ name, labels }) => [name, labels]),
      [
        ['greeting', {}],
        ['greeting.formal', {}],
        ['plain', {}],
        ['support/reply', {}],
      ],
    );
    const formal = await client.get<VersionBody & { syntax: string }>(`${pathOf('greeting.formal')}?label=latest`);
    assert.deepEqual([formal.syntax, formal.message], ['mustache', 'Imported from greeting.formal.prompt']);

    const before = await etagOf(client);
    const again = await folder.run(['import', 'dotprompt', 'files/dotprompt', '--json']);
    const { imported, unchanged, refused, prompts } = JSON.parse(again.stdout);
    assert.deepEqual([again.code, imported, unchanged, refused], [1, 0, 4, 1]);
    assert.deepEqual(prompts[0], { name: 'greeting.formal', path: 'greeting.formal.prompt', action: 'same', version: 1, cases: 0 });
    assert.equal(await etagOf(client), before, 'nothing was written');
  });

  it('--label and --folder; a label moves once, and changes that people made here are kept', async (t) => {
    const { client, folder } = await newFolder(t);
    const run = () => folder.runWell(['import', 'prompty', 'files/prompty/travel.prompty', '--folder', 'trips', '-l', 'staging']);
    assert.match(await run(), /\+ trips\/travel guide {2}new, staging/);
    const [created] = (await client.get<ListBody>('/api/prompts')).data;
    assert.deepEqual([created?.labels, created?.tags], [{ staging: 1 }, ['planning', 'travel']]);
    const before = await etagOf(client);
    assert.match(await run(), /= trips\/travel guide {2}unchanged/);
    assert.equal(await etagOf(client), before, 'nothing was written');

    await folder.write('files/prompty/travel.prompty', 'user:\nWhere to in {{city}}?');
    await client.call('PATCH', pathOf('trips/travel guide'), { description: 'Ours', tags: ['ours'] });
    await folder.write('files/prompty/travel guide.prompty', 'user:\nWhere to in {{city}}?');
    const output = await folder.runWell(['import', 'prompty', 'files/prompty/travel guide.prompty', '--folder', 'trips']);
    assert.match(output, /~ trips\/travel guide {2}version 2/);
    const [changed] = (await client.get<ListBody>('/api/prompts')).data;
    assert.deepEqual([changed?.labels, changed?.description, changed?.tags], [{ staging: 1 }, 'Ours', ['ours']]);
  });

  it('a promptfoo config brings its files and test cases; test cases are added once, and never changed', async (t) => {
    const { client, folder } = await newFolder(t);
    const run = () => folder.run(['import', 'promptfoo', 'files/promptfoo/promptfooconfig.yaml', '--json']);
    assert.equal((await run()).code, 1);
    const casesOf = async (name: string) => (await client.get<ListBody<{ id: string; name: string }>>(pathOf(name, '/cases'))).data;
    const added = await casesOf('prompts/chat');
    assert.deepEqual(
      added.map(({ name }) => name),
      ['French', 'JSON'],
    );
    const before = await etagOf(client);
    assert.equal(JSON.parse((await run()).stdout).imported, 0);
    assert.equal(await etagOf(client), before, 'nothing was written');

    await client.call('PATCH', pathOf('prompts/chat', `/cases/${added[0]?.id}`), { variables: { text: 'ours' } });
    await client.call('DELETE', pathOf('prompts/chat', `/cases/${added[1]?.id}`));
    const { prompts, findings } = JSON.parse((await run()).stdout);
    assert.deepEqual(
      prompts.flatMap(({ name, action, cases }: Record<string, unknown>) => (action === 'cases' ? [[name, cases]] : [])),
      [['prompts/chat', 1]],
    );
    assert.match(JSON.stringify(findings), /case \\"French\\"","message":"Already exists with different content; not changed/);
    assert.deepEqual((await casesOf('prompts/chat')).map(({ name }) => name).sort(), ['French', 'JSON']);

    await folder.write('chat.json', '[{"role": "user", "content": "Hi {{x}}"}]');
    await folder.runWell(['import', 'promptfoo', 'chat.json']);
    assert.deepEqual((await client.get<VersionBody>(`${pathOf('chat')}?label=latest`)).messages, [{ role: 'user', content: 'Hi {{x}}' }]);
    await folder.write('settings.json', '{"url": "https://prompts.example.com"}');
    const settings = await folder.run(['import', 'promptfoo', 'settings.json']);
    assert.equal(settings.code, 1);
    assert.match(settings.stdout, /^error settings\.json: the file: Not a promptfoo file$/m);
  });

  it('refuses files that are not text, or of another type or format, and imports the rest; follows no link, and no path out of the folder', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.create({ name: 'chat', messages: [{ role: 'user', content: 'x' }] });
    await folder.write('in/chat.prompt', 'a text');
    await folder.write('in/good.prompt', 'Hello {{x}}');
    await folder.write('secret.prompt', 'secret');
    await folder.write('secret.txt', 'secret');
    await writeFile(join(folder.path, 'in/image.prompt'), Buffer.from([0xff, 0xfe, 0x00]));
    await writeFile(join(folder.path, 'in/huge.prompt'), Buffer.alloc(5_000_000, 'x'));
    await symlink(join(folder.path, 'secret.prompt'), join(folder.path, 'in/link.prompt'));
    const { code, stdout } = await folder.run(['import', 'dotprompt', 'in']);
    assert.equal(code, 1);
    assert.match(stdout, /\+ good/);
    assert.match(stdout, /its type cannot be changed/);
    assert.match(stdout, /error image\.prompt: the file: It is not a UTF-8 text file/);
    assert.match(stdout, /error huge\.prompt: the file: It is too large for a prompt \(5000000 bytes\)/);
    await folder.write('outside/secret.txt', 'secret');
    await symlink(join(folder.path, 'outside'), join(folder.path, 'in/out'));
    const paths = ['file://../secret.txt', 'file:///etc/hostname', 'file://out/secret.txt', 'file://out/*.txt', 'Say {{x}}'];
    await folder.write('in/promptfooconfig.yaml', JSON.stringify({ prompts: paths }));
    assert.match(await folder.runWell(['import', 'promptfoo', 'in/promptfooconfig.yaml']), /file:\/\/\.\.\/secret\.txt.*was not selected/);
    assert.deepEqual(
      (await client.get<ListBody>('/api/prompts')).data.map(({ name }) => name),
      ['chat', 'good', 'prompt-1'],
    );
    assert.equal((await folder.run(['import', 'prompty', 'in/good.prompt'])).code, 1);
    const device = await folder.run(['import', 'dotprompt', '/dev/zero']);
    assert.deepEqual([device.code, /neither a file nor a folder/.test(device.stderr)], [1, true]);
    await folder.write('odd/new\nline.prompt', 'x');
    assert.match((await folder.run(['import', 'dotprompt', 'odd'])).stdout, /^! new line {2}not imported; see new line\.prompt$/m);
  });

  it('exit codes: 2 for wrong usage, 3 without a valid key, 5 if the service is unreachable', async (t) => {
    const { client, folder } = await newFolder(t);
    for (const args of [
      ['import', 'prompty'],
      ['import', 'prompty', 'files', '--label', 'latest'],
      ['import', 'prompty', 'files', '--folder', '/x'],
    ]) {
      assert.equal((await folder.run(args)).code, 2, args.join(' '));
    }
    assert.equal((await folder.run(['import', 'prompty', 'nowhere'])).code, 1);
    const stranger = await createCliFolder(t, { PROMPTHARBOR_URL: service.url, PROMPTHARBOR_API_KEY: `ph_${'0'.repeat(64)}` });
    assert.equal((await stranger.run(['import', 'prompty', join(folder.path, 'files/prompty')])).code, 3);
    const away = await createCliFolder(t, { PROMPTHARBOR_URL: 'http://127.0.0.1:9', PROMPTHARBOR_API_KEY: client.token });
    assert.equal((await away.run(['import', 'prompty', join(folder.path, 'files/prompty')])).code, 5);
    assert.match(await folder.runWell(['import', '--help']), /import dotprompt.*import prompty.*import promptfoo/s);
  });
});
