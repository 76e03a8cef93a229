import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { it } from 'node:test';
import { PromptHarbor } from '../../client/src/index.ts';
import { cliSettings, createCliFolder } from '../support/cli.ts';
import { describeOnEveryEngine, newClient } from '../support/prompts.ts';

describeOnEveryEngine('promptharbor pull --state', (service) => {
  async function setUp(t: TestContext) {
    const client = await newClient(service());
    await client.create({ name: 'shared/tone', template: '{% if mood %}Be {{ mood }}.{% endif %}' });
    await client.create({ name: 'support/reply', template: "{% render 'shared/tone' %} Hello {{ name | upcase }}" });
    await client.create({ name: 'other', template: 'Other' });
    return { client, folder: await createCliFolder(t, cliSettings(service(), client)) };
  }

  it('writes the file from which prompts.load starts and renders without the service', async (t) => {
    const { client, folder } = await setUp(t);
    const { code, stdout, stderr } = await folder.run(['pull', '--state', 'build/state.json', '--folder', 'support']);
    assert.deepEqual([code, stdout, stderr], [0, '', 'build/state.json has 1 prompt at the label "production".\n']);
    const files = await folder.files();
    assert.deepEqual([...files.keys()], ['build/state.json'], 'no project is needed, and no other file is written');
    const text = await folder.read('build/state.json');
    assert.ok(!text.includes(client.token) && !text.includes('ph_'), 'no key in it');
    const stateFile = join(folder.path, 'build/state.json');
    // In an image, a program often reads the file as a different user than the one who built the image.
    assert.equal((await stat(stateFile)).mode & 0o044, 0o044 & ~process.umask());

    const requests: string[] = [];
    const offline: typeof fetch = async (input) => {
      requests.push(String(input));
      throw new TypeError('fetch failed');
    };
    const ph = new PromptHarbor({ baseUrl: 'http://prompts.internal', apiKey: client.token, fetch: offline });
    const prompts = await ph.prompts.load({ folder: 'support', stateFile });
    t.after(() => prompts.close());
    assert.deepEqual(prompts.names, ['support/reply']);
    assert.equal(prompts.get('support/reply').renderSync({ mood: 'kind', name: 'Ada' }).text, 'Be kind. Hello ADA');
    assert.ok(!requests.some((request) => request.includes('/render')));
    assert.equal(await folder.read('build/state.json'), text);
  });

  it('--check: says whether the file is out of date, and writes nothing', async (t) => {
    const { client, folder } = await setUp(t);
    const check = async () => (await folder.run(['pull', '--state', 'state.json', '--check'])).code;
    assert.equal(await check(), 1);
    assert.equal((await folder.files()).size, 0);
    assert.deepEqual(JSON.parse(await folder.runWell(['pull', '--state', 'state.json', '--json'])), {
      file: 'state.json',
      prompts: 3,
      stale: false,
      written: true,
    });
    assert.equal(await check(), 0);
    await client.save('other', { template: 'Saved, but not deployed' });
    assert.equal(await check(), 0);
    await client.label('other', 'production', 2);
    assert.equal(await check(), 1);
    await folder.write('state.json', 'null');
    assert.equal(await check(), 1);
    assert.equal(await folder.read('state.json'), 'null');
  });

  it('exit 1: keeps the file if there are no prompts, as with a wrong label, folder or key', async (t) => {
    const { folder } = await setUp(t);
    await folder.runWell(['pull', '--state', 'state.json']);
    const text = await folder.read('state.json');
    for (const [option, value, message] of [
      ['--label', 'prodution', /There are no prompts at the label "prodution", so state\.json was not written\./],
      ['--folder', 'suport', /There are no prompts at the label "production" in the folder "suport", so /],
    ] as const) {
      const { code, stderr } = await folder.run(['pull', '--state', 'state.json', option, value]);
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.equal(await folder.read('state.json'), text);
    }
  });

  it('exit 2: refuses options that contradict each other', async (t) => {
    const { folder } = await setUp(t);
    for (const [args, message] of [
      [['pull', '--state', 'a', '--prune'], /either --state or --prune/],
      [['pull', '--state', 'a', '--theirs', 'x'], /either --state or --theirs/],
      [['pull', '--state', 'a', 'support'], /use --folder/],
      [['pull', '--label', 'staging'], /--label only with --state/],
      [['pull', '--folder', 'support'], /--folder only with --state/],
    ] as const) {
      const { code, stderr } = await folder.run([...args]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
    assert.equal((await folder.files()).size, 0);
  });
});
