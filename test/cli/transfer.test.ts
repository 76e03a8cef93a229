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
    assert.match(stderr, /0 prompts created, 0 updated, 6 unchanged, 0 conflicts/);

    await other.client.create({ name: 'zz', template: 'here' });
    await client.create({ name: 'zz', template: 'there' });
    await folder.runWell(['export', '-o', 'all.jsonl']);
    const conflict = await other.folder.run(['import', 'json', '-'], await folder.read('all.jsonl'));
    assert.equal(conflict.code, 1);
    assert.match(conflict.stdout, /^! zz {2}Version 1 already exists here with different content$/m);
    const broken = await other.folder.run(['import', 'json', '-'], 'not an export\n');
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /not a PromptHarbor export/);
    assert.equal((await other.folder.run(['import', 'json', 'missing.jsonl'])).code, 1);
  });

  it('import json detects a truncated, an empty and an endless file, and identifies lines by their number in the file', async (t) => {
    const { client } = await newFolder(t);
    // After escaping, "b" exceeds the maximum size of a request, with or without "a".
    await client.create({ name: 'a', template: '"'.repeat(255_000) });
    await client.create({ name: 'b', template: '"'.repeat(262_144), config: { text: 'x'.repeat(60_000) } });
    for (const version of [2, 3, 4]) await client.save('b', { template: `${version}${'"'.repeat(250_000)}`, labels: ['production'] });
    const text = await exportText(client);
    const lines = text.trimEnd().split('\n');

    const other = await newFolder(t, 1);
    const importing = async (content: string, ...options: string[]) => {
      await other.folder.write('all.jsonl', content);
      return other.folder.run(['import', 'json', 'all.jsonl', ...options]);
    };
    const trial = JSON.parse((await importing(text, '--dry-run', '--json')).stdout) as { created: number; conflicts: number };
    assert.deepEqual([trial.created, trial.conflicts], [2, 0], JSON.stringify(trial));
    for (const [content, message] of [
      ['', /not a PromptHarbor export/],
      ['x'.repeat(5_000_000), /a line is too long/],
      [lines.with(-1, '{"kind":"event"}').join('\n'), new RegExp(`Line ${lines.length}: id: Required`)],
      [lines.with(-1, '{').join('\n'), new RegExp(`Line ${lines.length}: .*JSON`)],
    ] as const) {
      const { code, stderr } = await importing(content);
      assert.equal(code, 1, stderr);
      assert.match(stderr, message);
    }
    await other.client.call('DELETE', pathOf('a'));
    await other.client.call('DELETE', pathOf('b'));
    const half = await importing(lines.slice(0, -1).join('\n'));
    assert.equal(half.code, 1);
    assert.match(half.stdout, /^\+ a\n! b {2}The export ends in the middle of this prompt, so it has no labels yet/);
    assert.equal((await importing(text)).code, 0);
    assert.equal(await exportText(other.client), text);
    const second = JSON.parse((await importing(lines.slice(0, -1).join('\n'), '--json')).stdout) as { unchanged: number };
    assert.equal(second.unchanged, 2);
  });

  it('export writes files, Langfuse’s shape, and dotprompt for plain templates', async (t) => {
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
    assert.match(stderr, /loop {2}not supported by dotprompt: the tag \{% for x in xs %\}/);
    assert.match(stderr, /filter {2}not supported by dotprompt: the output \{\{ name \| upcase \}\}/);
    assert.match(stderr, /role {2}not supported by dotprompt: the role "developer"/);
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
    for (const [output, message] of [
      ['files', /files is a folder\. Specify a file/],
      ['missing/all.jsonl', /there is no folder .*missing\./],
    ] as const) {
      const refused = await folder.run(['export', '-o', output]);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, message);
    }
  });

  it('import langfuse carries over versions, labels, tags, configs and dates, and a second run changes nothing', async (t) => {
    // PromptHarbor's endpoints for Langfuse SDKs stand in for Langfuse.
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
    // The server fails from the fourth request on. The prompts imported before the failure are kept, and the next run continues after them.
    proxy.failAfter(3);
    const failed = await folder.run(['import', 'langfuse']);
    assert.equal(failed.code, 5);
    assert.match(failed.stderr, /Langfuse responded with 500.*Run the command again/);
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

  it('import langfuse leaves out each prompt that cannot be stored, with the reason, and imports the others', async (t) => {
    const bad: Record<string, { listed?: object; version?: object; json?: string; reason: RegExp }> = {
      'a|b': { reason: /not allowed/ },
      '..': { reason: /cannot be \. or \.\./ },
      'e\u0301': { reason: /same name in a different Unicode form/ },
      long: { version: { prompt: 'x'.repeat(262_145) }, reason: /at most 262144/ },
      huge: { version: { prompt: 'x'.repeat(5_000_000) }, reason: /too long for a request/ },
      chat: { version: { type: 'chat', prompt: [{ role: 'user' }] }, reason: /without a role or content/ },
      empty: { version: { type: 'chat', prompt: [] }, reason: /must not be empty/i },
      proto: { json: '{"__proto__":{"a":1}}', reason: /not allowed/ },
      deep: { json: `${'['.repeat(600)}${']'.repeat(600)}`, reason: /levels deep/ },
      nul: { version: { prompt: 'a\0b' }, reason: /Control characters/ },
      gap: { listed: { versions: [1, 2_000_000_000] }, reason: /too many are missing/ },
      none: { listed: { versions: [] }, reason: /no versions/ },
      lost: { listed: { versions: [1, 404] }, reason: /404/ },
      other: { version: { version: 7 }, reason: /did not return version/ },
      labels: { version: { labels: Array.from({ length: 21 }, (_, index) => `l${index}`) }, reason: /20/ },
    };
    const good: Record<string, { listed?: object; version?: object }> = {
      '\u00e9': {},
      twice: { listed: { versions: [2, 1, 2, 1, -1, 'x'] } },
      past: { version: { createdAt: '1950-01-01T00:00:00Z' } },
      future: { version: { createdAt: '+012345-01-01T00:00:00Z' }, listed: { lastUpdatedAt: 'never' } },
      ...Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`plain ${index}`, {}])),
    };
    const entries = Object.entries({ ...good, ...bad }) as [string, (typeof bad)[string]][];
    const list = entries.map(([name, { listed }]) => ({
      name,
      type: 'text',
      versions: [1],
      tags: [],
      lastUpdatedAt: '2026-01-01',
      ...listed,
    }));
    const url = await startLangfuse(t, (path, query) => {
      // The server claims one page, although there are two.
      const page = Number(query.get('page'));
      if (path === '') return { data: list.slice((page - 1) * 100, page * 100), meta: { totalPages: 1 } };
      const name = decodeURIComponent(path);
      const version = Number(query.get('version'));
      const item = entries.find(([each]) => each === name)?.[1];
      if (!item || version === 404) return undefined;
      const { version: changes, json } = item;
      const body = { version, type: 'text', prompt: 'x', config: {}, labels: [], createdAt: '2026-01-01T00:00:00Z', ...changes };
      return json === undefined ? body : JSON.stringify(body).replace('"config":{}', `"config":${json}`);
    });
    const { folder, client } = await newFolder(t, 0, { LANGFUSE_PUBLIC_KEY: 'pk', LANGFUSE_SECRET_KEY: 'sk', LANGFUSE_BASE_URL: url });
    const { code, stdout } = await folder.run(['import', 'langfuse', '--json']);
    assert.equal(code, 1);
    const { created, prompts } = JSON.parse(stdout) as { created: number; prompts: { name: string; status: string; reason?: string }[] };
    assert.equal(created, Object.keys(good).length);
    const reasons = new Map(prompts.flatMap(({ name, status, reason }) => (status === 'conflict' ? [[name, reason]] : [])));
    assert.deepEqual([...reasons.keys()].sort(), Object.keys(bad).sort());
    for (const [name, { reason }] of Object.entries(bad)) assert.match(reasons.get(name) ?? '', reason, name);
    const again = JSON.parse((await folder.run(['import', 'langfuse', '--json'])).stdout) as { created: number; unchanged: number };
    assert.deepEqual([again.created, again.unchanged], [0, created]);
    assert.equal((await client.get<VersionBody>(`${pathOf('twice')}?label=latest`)).version, 2);

    const same = await startLangfuse(t, () => ({ data: list.slice(0, 100), meta: { totalPages: 1e9 } }));
    const endless = await folder.run(['import', 'langfuse', same]);
    assert.deepEqual([endless.code, /keeps listing the same prompts/.test(endless.stderr)], [1, true]);
    const redirected = await folder.run(['import', 'langfuse', `${same}/redirect`]);
    assert.match(redirected.stderr, /redirects to https:\/\/elsewhere\.example/);
  });
});

/** Starts a server that stands in for Langfuse. */
async function startLangfuse(
  t: TestContext,
  respond: (path: string, query: URLSearchParams) => object | string | undefined,
): Promise<string> {
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost');
    if (pathname.startsWith('/redirect')) {
      res.writeHead(308, { location: 'https://elsewhere.example/' }).end();
      return;
    }
    const body = respond(pathname.replace(/^\/api\/public\/v2\/prompts\/?/, ''), searchParams);
    res.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    res.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a proxy that can be made to fail. */
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
