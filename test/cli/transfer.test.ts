import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { type CliFolder, cliSettings, createCliFolder } from '../support/cli.ts';
import { postgres, sqlite } from '../support/engines.ts';
import { type Client, type ListBody, newClient, type PromptBody, pathOf, type VersionBody } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';
import { exportText, fillWorkspace } from '../support/transfer.ts';

describe('promptharbor export and import', () => {
  let services: Service[] = [];
  before(async () => {
    services = [await startService({ engine: sqlite }), await startService({ engine: postgres })];
  });
  after(async () => {
    for (const service of services) await service.close();
  });

  async function newFolder(t: TestContext, at = 0, env: Record<string, string> = {}): Promise<{ client: Client; folder: CliFolder }> {
    const service = services[at];
    assert.ok(service);
    const client = await newClient(service);
    return { client, folder: await createCliFolder(t, { ...cliSettings(service, client), ...env }) };
  }

  it('export and import json carry everything to another server', async (t) => {
    const { client, folder } = await newFolder(t);
    await fillWorkspace(client, 6, 5);
    await folder.runWell(['export', '-o', 'all.jsonl']);
    const text = await folder.read('all.jsonl');
    assert.equal(text, await exportText(client));
    assert.equal(await folder.runWell(['export']), text);
    const other = await newFolder(t, 1);
    await other.folder.write('all.jsonl', text);
    const trial = JSON.parse(await other.folder.runWell(['import', 'json', 'all.jsonl', '--dry-run', '--json'])) as { created: number };
    assert.equal(trial.created, 6);
    assert.deepEqual((await other.client.get<ListBody>('/api/prompts')).data, []);
    await other.folder.runWell(['import', 'json', 'all.jsonl']);
    assert.equal(await exportText(other.client), text);
    const { stdout, stderr, code } = await other.folder.run(['import', 'json', '-'], text);
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, /0 prompts created, 0 completed, 6 unchanged, 0 conflicts/);

    await other.client.create({ name: 'zz', template: 'here' });
    await client.create({ name: 'zz', template: 'there' });
    await folder.runWell(['export', '-o', 'all.jsonl']);
    const conflict = await other.folder.run(['import', 'json', '-'], await folder.read('all.jsonl'));
    assert.equal(conflict.code, 1);
    assert.match(conflict.stdout, /^! zz {2}Version 1 is another one here$/m);
    const broken = await other.folder.run(['import', 'json', '-'], 'not an export\n');
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /no export of PromptHarbor/);
    assert.equal((await other.folder.run(['import', 'json', 'missing.jsonl'])).code, 1);
  });

  it('export writes files, Langfuse’s shape, and dotprompt where it is plain', async (t) => {
    const { client, folder } = await newFolder(t);
    await client.create({ name: 'plain', template: 'Hello {{ name }}', config: { model: 'm', temperature: 0.5 }, description: 'Greets' });
    const messages = [{ role: 'system', content: 'Be {{mood}}' }, { placeholder: 'history' }, { role: 'assistant', content: 'Yes' }];
    await client.create({ name: 'chats/one', messages, tags: ['a'] });
    await client.create({ name: 'loop', template: '{% for x in xs %}{{ x }}{% endfor %}' });
    await client.create({ name: 'filter', template: '{{ name | upcase }}' });
    await client.create({ name: 'includes', template: 'A {% render "plain", label: "beta" %}' });
    await client.create({ name: 'role', messages: [{ role: 'developer', content: 'x' }] });
    await folder.runWell(['export', '--format', 'files', '-o', 'files']);
    assert.match(await folder.read('files/chats/one.prompt.yaml'), /placeholder: history/);
    const { code, stderr } = await folder.run(['export', '--format', 'dotprompt', '-o', 'dot']);
    assert.equal(code, 1);
    assert.match(stderr, /loop {2}the tag \{% for x in xs %\}/);
    assert.match(stderr, /filter {2}the output \{\{ name \| upcase \}\}/);
    assert.match(stderr, /role {2}the role "developer"/);
    assert.match(stderr, /2 prompts exported/);
    assert.equal(
      await folder.read('dot/plain.prompt'),
      '---\nname: plain\ndescription: Greets\nmodel: m\nconfig:\n  temperature: 0.5\n---\nHello {{ name }}',
    );
    assert.match(
      await folder.read('dot/chats/one.prompt'),
      /---\n\{\{role "system"\}\}Be \{\{mood\}\}\{\{history\}\}\{\{role "model"\}\}Yes$/,
    );
    const langfuse = await folder.run(['export', '--format', 'langfuse']);
    const lines = langfuse.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; prompt: unknown; labels: string[] });
    const byName = new Map(lines.map((line) => [line.name, line]));
    assert.equal(byName.get('includes')?.prompt, 'A @@@langfusePrompt:name=plain|label=beta@@@');
    assert.deepEqual(byName.get('chats/one')?.prompt, [
      { type: 'chatmessage', role: 'system', content: 'Be {{mood}}' },
      { type: 'placeholder', name: 'history' },
      { type: 'chatmessage', role: 'assistant', content: 'Yes' },
    ]);
    assert.match(langfuse.stderr, /loop: version 1 uses Liquid/);
    assert.equal((await folder.run(['export', '--format', 'pdf'])).code, 2);
  });

  it('import langfuse carries over versions, labels, tags, configs and dates, and a second run changes nothing', async (t) => {
    // Our own endpoints stand in for Langfuse.
    const source = await newFolder(t);
    const post = async (body: object) => {
      const response = await source.client.call('POST', '/api/public/v2/prompts', body);
      assert.equal(response.status, 201, response.text);
    };
    await post({ name: 'tone', prompt: 'Be kind', labels: ['production'], tags: ['shared'] });
    await post({
      name: 'reply',
      prompt: '@@@langfusePrompt:name=tone|label=production@@@ {{#a}}x{{/a}}',
      config: [1],
      commitMessage: 'First',
    });
    for (const text of ['two', 'three', 'four']) await post({ name: 'reply', prompt: text, config: 'any', labels: ['staging'] });
    await source.client.call('DELETE', '/api/public/v2/prompts/reply?version=2');
    await post({
      name: 'chat',
      type: 'chat',
      prompt: [
        { role: 'critic', content: 'x' },
        { type: 'placeholder', name: 'history' },
      ],
    });
    const proxy = await startProxy(t, source.client.service.url);
    const target = await newFolder(t, 1, {
      LANGFUSE_PUBLIC_KEY: 'pk',
      LANGFUSE_SECRET_KEY: source.client.token,
      LANGFUSE_BASE_URL: proxy.url,
    });
    const { client, folder } = target;

    const trial = JSON.parse(await folder.runWell(['import', 'langfuse', '--dry-run', '--json'])) as { created: number };
    assert.equal(trial.created, 3);
    assert.ok(proxy.urls.filter((url) => url.includes('version=')).every((url) => url.includes('resolve=false')));
    // A server that fails for good after some requests: what is there stays, and the next run goes on.
    proxy.failAfter(3);
    const failed = await folder.run(['import', 'langfuse']);
    assert.equal(failed.code, 5);
    assert.match(failed.stderr, /Langfuse responds with 500.*run the command again/);
    proxy.failAfter(Number.POSITIVE_INFINITY);
    await folder.runWell(['import', 'langfuse']);

    const [prompt] = (await client.get<ListBody<PromptBody>>('/api/prompts?name=reply')).data;
    assert.deepEqual([prompt?.labels, prompt?.latestVersion, prompt?.deletedVersions], [{ staging: 4 }, 4, [2]]);
    const copy = await client.get<VersionBody>(`${pathOf('reply')}?version=1`);
    const original = await source.client.get<VersionBody>(`${pathOf('reply')}?version=1`);
    assert.deepEqual(
      [copy.template, copy.config, copy.message, copy.createdAt, copy.syntax],
      [original.template, [1], 'First', original.createdAt, 'mustache'],
    );
    const tone = (await client.get<ListBody<PromptBody>>('/api/prompts?name=tone')).data[0];
    assert.deepEqual([tone?.tags, tone?.labels], [['shared'], { production: 1 }]);
    const text = await exportText(client);
    await client.label('tone', 'mine', 1);
    const second = await folder.run(['import', 'langfuse', '--json']);
    assert.deepEqual(JSON.parse(second.stdout), { ...JSON.parse(second.stdout), created: 0, completed: 0, unchanged: 3, conflicts: 0 });
    await client.call('DELETE', pathOf('tone', '/labels/mine'));

    await post({ name: 'reply', prompt: 'five', labels: ['staging', 'production'] });
    await folder.runWell(['import', 'langfuse']);
    assert.equal((await client.get<VersionBody>(pathOf('reply'))).template, 'five');
    assert.notEqual(await exportText(client), text);
    const wrong = await folder.run(['import', 'langfuse', '--secret-key', 'wrong']);
    assert.equal(wrong.code, 3);
    assert.ok(!`${wrong.stdout}${wrong.stderr}`.includes(source.client.token));
  });
});

/** A server in front of another one that can fail. */
async function startProxy(t: TestContext, target: string) {
  let left = Number.POSITIVE_INFINITY;
  const urls: string[] = [];
  const server = createServer(async (req, res) => {
    urls.push(req.url ?? '');
    left -= 1;
    if (left < 0) {
      res.writeHead(500, { 'retry-after': '0' }).end();
      return;
    }
    const response = await fetch(`${target}${req.url}`, { headers: { authorization: req.headers.authorization ?? '' } });
    res.writeHead(response.status, { 'content-type': 'application/json' }).end(await response.text());
  });
  const failAfter = (count: number) => {
    left = count;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, urls, failAfter };
}
