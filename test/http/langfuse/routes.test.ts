import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertLangfuseError, callLangfuse, langfusePath, post, promptsPath, read } from '../../support/langfuse.ts';
import { describeOnEveryEngine, newClient, type PromptBody, pathOf, type VersionBody } from '../../support/prompts.ts';
import { countHandled } from '../../support/workspaces.ts';

interface ListBody {
  data: { name: string; type: string; versions: number[]; labels: string[]; tags: string[]; lastConfig: unknown; lastUpdatedAt: string }[];
  meta: Record<string, number>;
  pagination: Record<string, number>;
}

describeOnEveryEngine('POST /api/public/v2/prompts', (service) => {
  it('201: labels move off older versions, tags are kept or replaced, config is any JSON', async () => {
    const client = await newClient(service());
    const first = await post(client, {
      name: 'a',
      prompt: 'one',
      labels: ['production', 'x', 'latest', 'x'],
      tags: ['t', 't'],
      config: null,
    });
    assert.deepEqual([first.labels, first.tags, first.config, first.isActive], [['production', 'x', 'latest'], ['t'], {}, true]);
    const second = await post(client, { name: 'a', type: 'text', prompt: 'two', labels: ['x'], tags: null, config: [1, 'b'], unknown: 1 });
    assert.deepEqual([second.labels, second.tags, second.config, second.isActive], [['x', 'latest'], ['t'], [1, 'b'], false]);
    assert.deepEqual((await read(client, 'a')).labels, ['production']);
    assert.deepEqual((await post(client, { name: 'a', prompt: 'three', tags: [], config: 'text' })).tags, []);
    assert.deepEqual([(await read(client, 'a', '?version=3')).config, (await read(client, 'a', '?version=1')).tags], ['text', []]);
    const version = await client.get<VersionBody>(pathOf('a', '/versions/3'));
    assert.deepEqual([version.syntax, version.template, version.by.via], ['mustache', 'three', 'api']);
    const { data } = await client.get<{ data: { type: string }[] }>(pathOf('a', '/history'));
    assert.deepEqual(
      [data[0]?.type, data.filter(({ type }) => type === 'described').length],
      ['described', 1],
      'tags that changed are told',
    );
  });

  it('201: labels and tags keep the order in which they were given', async () => {
    const client = await newClient(service());
    const first = await post(client, { name: 'a', prompt: 'one', labels: ['zeta', 'alpha', 'mid'], tags: ['z', 'b', 'a'] });
    assert.deepEqual(
      [first.labels, first.tags],
      [
        ['zeta', 'alpha', 'mid', 'latest'],
        ['z', 'b', 'a'],
      ],
    );
    const patched = await callLangfuse(client, 'PATCH', langfusePath('a', '/versions/1'), { body: { newLabels: ['omega', 'beta'] } });
    assert.deepEqual((patched.body as { labels: string[] }).labels, ['zeta', 'alpha', 'mid', 'omega', 'beta', 'latest']);
    const second = await post(client, { name: 'a', prompt: 'two', labels: ['mid', 'alpha'], tags: ['a', 'z', 'b'] });
    assert.deepEqual(
      [second.labels, second.tags],
      [
        ['mid', 'alpha', 'latest'],
        ['a', 'z', 'b'],
      ],
    );
    const moved = await callLangfuse(client, 'PATCH', langfusePath('a', '/versions/2'), { body: { newLabels: ['zeta'] } });
    assert.deepEqual((moved.body as { labels: string[] }).labels, ['mid', 'alpha', 'zeta', 'latest']);
    const [one, two] = [await read(client, 'a', '?version=1'), await read(client, 'a', '?version=2')];
    assert.deepEqual(
      [one.labels, one.tags],
      [
        ['omega', 'beta'],
        ['a', 'z', 'b'],
      ],
    );
    assert.deepEqual(
      [two.labels, two.tags],
      [
        ['mid', 'alpha', 'zeta', 'latest'],
        ['a', 'z', 'b'],
      ],
    );
    const list = await client.get<{ data: { labels: string[]; tags: string[] }[] }>('/api/public/v2/prompts');
    assert.deepEqual(list.data[0]?.labels, ['omega', 'beta', 'mid', 'alpha', 'zeta', 'latest']);
    assert.deepEqual(list.data[0]?.tags, ['a', 'z', 'b']);
    const { data } = await client.get<{ data: { type: string }[] }>(pathOf('a', '/history'));
    assert.equal(data.filter(({ type }) => type === 'described').length, 0, 'another order is no other description');
  });

  it('201: a Liquid prompt whose text is written back unchanged stays Liquid, and renders as before', async () => {
    const client = await newClient(service());
    const template = 'Dear {{ name }}: {{ topics | join: ", " }}';
    await client.create({ name: 'a', template, variables: [{ name: 'topics', type: 'list', default: ['cats', 'ships'] }] });
    const { prompt, config } = await read(client, 'a');
    await post(client, { name: 'a', prompt, config: { ...(config as object), model: 'm' }, labels: ['production'] });
    const saved = await client.get<VersionBody>(pathOf('a'));
    assert.deepEqual([saved.version, saved.syntax, saved.template, saved.config], [2, 'liquid', template, { model: 'm' }]);
    assert.deepEqual(
      ((await client.render('a', { variables: { name: 'Ada' } })).body as { text: string }).text,
      'Dear Ada: cats, ships',
      'filters and defaults still apply',
    );

    const syntaxOf = async (body: Record<string, unknown>) => {
      const { version } = await post(client, body);
      return (await client.get<VersionBody>(pathOf(String(body.name), `/versions/${version}`))).syntax;
    };
    assert.equal(await syntaxOf({ name: 'a', prompt: `${template}!` }), 'mustache', 'another text');
    assert.equal(await syntaxOf({ name: 'a', prompt: template }), 'liquid', 'the text in production');
    const unreadable = { tools: [{ type: 'function', function: { name: 'f', description: '{% if' } }] };
    assert.equal(await syntaxOf({ name: 'a', prompt: template, config: unreadable }), 'liquid', 'a description that is no template');
    assert.equal(await syntaxOf({ name: 'new', prompt: template }), 'mustache', 'a new prompt');
    assert.equal(await syntaxOf({ name: 'new', prompt: template }), 'mustache', 'an unchanged mustache version');

    const messages = [{ role: 'user', content: [{ type: 'image', url: '{{ photo }}' }] }, { placeholder: 'history' }];
    await client.create({ name: 'chat', messages });
    const chat = await read(client, 'chat');
    assert.equal(await syntaxOf({ name: 'chat', type: 'chat', prompt: chat.prompt }), 'liquid');
    assert.equal(await syntaxOf({ name: 'chat', type: 'chat', prompt: [{ role: 'critic', content: 'x' }] }), 'mustache');
    assert.equal((await callLangfuse(client, 'POST', promptsPath, { body: { name: 'chat', prompt: template } })).status, 400);
  });

  it('201: text that neither Liquid nor mustache can parse is returned byte for byte', async () => {
    const client = await newClient(service());
    for (const text of ['{{#open}} {{', '{% if %}', '{{ a b }} {{| x }}', '{{=<% %>=}}<% a %>', ' \r\n\ttabs\n\n', '', '🦜 é é']) {
      await post(client, { name: 'odd', prompt: text, labels: ['production'] });
      assert.equal((await read(client, 'odd')).prompt, text);
      assert.equal((await client.get<VersionBody>(pathOf('odd'))).template, text);
    }
    const json = `Answer as {{"answer": "${'x'.repeat(200)}"}}, {{name}}`;
    await post(client, { name: 'odd', prompt: json, labels: ['production'] });
    assert.deepEqual(
      (await client.get<VersionBody>(pathOf('odd'))).variables.map(({ name }) => name),
      ['name'],
    );
    assert.equal(((await client.render('odd', { variables: { name: 'Ada' } })).body as { text: string }).text, 'Answer as , Ada');
    await post(client, {
      name: 'many',
      prompt: Array.from({ length: 600 }, (_, index) => `{{v${index}}}`).join(''),
      labels: ['production'],
    });
    await post(client, { name: 'odd', prompt: '{{#open}}', labels: ['production'] });
    assert.equal((await client.render('odd', {})).status, 422);
  });

  it('201: callers that save at the same time all succeed, with different numbers', async () => {
    const client = await newClient(service());
    const saved = await Promise.all(Array.from({ length: 8 }, (_, index) => post(client, { name: 'busy', prompt: `v${index}` })));
    assert.deepEqual(saved.map(({ version }) => version).sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('201: names may contain spaces and symbols', async () => {
    const client = await newClient(service());
    for (const name of [
      'name with spaces',
      'angled[brac]es]',
      'special chars !@#$%^&*() +',
      'a/b?c=d#e',
      "it's",
      '日本語',
      'x'.repeat(200),
    ]) {
      assert.equal((await post(client, { name, prompt: name, labels: ['production'] })).name, name);
      assert.equal((await read(client, name)).prompt, name);
    }
  });

  const good = { name: 'a', prompt: 'x' };
  const chat = (...prompt: unknown[]) => ({ name: 'c', type: 'chat', prompt });
  const invalid: Record<string, [body: unknown, ...paths: unknown[][]]> = {
    'no name': [{ prompt: 'x' }, ['name']],
    'an empty name': [{ ...good, name: '' }, ['name']],
    'a name that is too long': [{ ...good, name: 'x'.repeat(201) }, ['name']],
    'a pipe in the name': [{ ...good, name: 'a|b' }, ['name']],
    'the name .': [{ ...good, name: '.' }, ['name']],
    'the name ..': [{ ...good, name: '..' }, ['name']],
    'a slash at the end': [{ ...good, name: 'a/' }, ['name']],
    'a space at the end': [{ ...good, name: 'a ' }, ['name']],
    'NUL in the name': [{ ...good, name: 'a\0' }, ['name']],
    'a name that would be stored in another form': [{ ...good, name: 'e\u0301' }, ['name']],
    'no prompt': [{ name: 'a' }, ['prompt']],
    'a prompt that is a number': [{ ...good, prompt: 1 }, ['prompt']],
    'NUL in the prompt': [{ ...good, prompt: 'a\0' }, ['prompt']],
    'messages for a text prompt': [{ ...good, type: 'text', prompt: [{ role: 'user', content: 'x' }] }, ['prompt']],
    'text for a chat prompt': [{ ...good, type: 'chat' }, ['prompt']],
    'another type': [{ ...good, type: 'image' }, ['type']],
    'a message without content': [chat({ role: 'user' }), ['prompt', 0, 'content']],
    'a placeholder without a valid name': [chat({ type: 'placeholder', name: '1 2' }), ['prompt', 0, 'name']],
    'a variable and a placeholder of the same name': [
      chat({ role: 'user', content: '{{history}}' }, { type: 'placeholder', name: 'history' }),
      ['prompt'],
    ],
    'a label with capital letters': [{ ...good, labels: ['Production'] }, ['labels', 0]],
    'labels as text': [{ ...good, labels: 'x' }, ['labels']],
    'too many tags': [{ ...good, tags: Array.from({ length: 21 }, String) }, ['tags']],
    'a long commit message': [{ ...good, commitMessage: 'x'.repeat(501) }, ['commitMessage']],
    'a config over 64 KiB': [{ ...good, config: 'c'.repeat(64 * 1024) }, ['config']],
  };
  for (const [what, [body, ...paths]] of Object.entries(invalid)) {
    it(`400: ${what}`, async () => {
      const client = await newClient(service());
      assertLangfuseError(await callLangfuse(client, 'POST', promptsPath, { body }), 400, paths);
      assert.deepEqual((await client.get<{ data: unknown[] }>('/api/prompts')).data, []);
    });
  }

  it('400: another type than the earlier versions', async () => {
    const client = await newClient(service());
    await post(client, good);
    const body = { name: 'a', type: 'chat', prompt: [{ role: 'user', content: 'x' }] };
    assertLangfuseError(await callLangfuse(client, 'POST', promptsPath, { body }), 400, [['type']]);
  });

  it('400: tags that cannot be resolved, although our own API would only warn', async () => {
    const client = await newClient(service());
    await post(client, { name: 'chat', type: 'chat', prompt: [{ role: 'user', content: 'x' }], labels: ['production'] });
    const tag = (rest: string) => ({ name: 'a', prompt: `@@@langfusePrompt:${rest}@@@` });
    for (const rest of ['name=none|label=production', 'name=chat|label=production', 'name=a|version=1', 'name=chat|version=9']) {
      assertLangfuseError(await callLangfuse(client, 'POST', promptsPath, { body: tag(rest) }), 400, 'InvalidRequestError');
    }
    for (const rest of ['name=none', 'label=production|name=none', 'name=none|label=a|version=1', 'name=none|version=x']) {
      assert.equal((await post(client, tag(rest))).prompt, `@@@langfusePrompt:${rest}@@@`, 'a tag of another form is text');
    }
  });
});

describeOnEveryEngine('GET /api/public/v2/prompts/{name}', (service) => {
  it('200: includes are resolved in any template language', async () => {
    const client = await newClient(service());
    await client.create({ name: 'liquid tone', template: 'Be {{ mood }}.' });
    await post(client, {
      name: 'mustache tone',
      prompt: 'Stay {{mood}}. @@@langfusePrompt:name=liquid tone|label=production@@@',
      labels: ['p'],
    });
    const created = await client.create({ name: 'liquid', template: "A {% render 'mustache tone', label: 'p' %} B" });
    assert.deepEqual([created.warnings, created.version.variables.map(({ name }) => name)], [[], ['mood']]);

    const resolved = await read(client, 'liquid');
    assert.equal(resolved.prompt, 'A Stay {{mood}}. Be {{ mood }}. B');
    assert.equal((await client.render('liquid', { variables: { mood: 'calm' } })).text.includes('A Stay calm. Be calm. B'), true);
    const { root, dependencies } = resolved.resolutionGraph ?? assert.fail('there is a graph');
    assert.deepEqual(
      [root.name, ...Object.values(dependencies).map((children) => children.map(({ name, version }) => `${name} ${version}`))],
      ['liquid', ['mustache tone 1'], ['liquid tone 1']],
    );
    assert.deepEqual(Object.keys(dependencies)[0], root.id);
    const raw = await read(client, 'liquid', '?resolve=false');
    assert.deepEqual([raw.prompt, raw.resolutionGraph], ['A @@@langfusePrompt:name=mustache tone|label=p@@@ B', null]);
    assert.equal((await read(client, 'mustache tone', '?label=p')).resolutionGraph?.root.name, 'mustache tone');
  });

  it('200: a warning for Liquid that the SDKs cannot render, even from the cache', async () => {
    const client = await newClient(service());
    const warns = async (template: string, expected: boolean) => {
      const name = `n${template.length}`;
      await client.create({ name, template });
      for (let reads = 0; reads < 2; reads += 1) {
        const { headers } = await callLangfuse(client, 'GET', langfusePath(name));
        assert.equal(headers.has('x-promptharbor-warning'), expected, template);
      }
    };
    await warns('Plain {{ name }} {{name}} a.b', false);
    await warns('Path {{ user.name }}', true);
    await warns('{{ name | upcase }}', true);
    await warns('{% if a %}b{% endif %}', true);
    await warns('{{- name -}}', true);
  });

  it('400: both version and label; 404: with Langfuse’s messages', async () => {
    const client = await newClient(service());
    await post(client, { name: 'a', prompt: 'x' });
    const get = (name: string, query = '') => callLangfuse(client, 'GET', langfusePath(name, query));
    assertLangfuseError(await get('a', '?version=1&label=x'), 400, [['version']]);
    assertLangfuseError(await get('a', '?version=x'), 400, [['version']]);
    assert.equal(assertLangfuseError(await get('a'), 404, 'LangfuseNotFoundError'), "Prompt not found: 'a' with label 'production'");
    assert.equal(assertLangfuseError(await get('b', '?version=3'), 404, 'LangfuseNotFoundError'), "Prompt not found: 'b' with version 3");
    assertLangfuseError(await get('a', '?label=NONE'), 404, 'LangfuseNotFoundError');
    assert.equal((await get('a', '?version=1&unknown=1')).status, 200);
  });

  it('409: an include that no longer exists', async () => {
    const client = await newClient(service());
    await client.create({ name: 'gone', template: 'x' });
    await post(client, { name: 'a', prompt: '@@@langfusePrompt:name=gone|label=production@@@', labels: ['production'] });
    await client.call('DELETE', pathOf('gone'));
    assertLangfuseError(await callLangfuse(client, 'GET', langfusePath('a')), 409, 'LangfuseConflictError');
    assert.equal((await read(client, 'a', '?resolve=false')).version, 1);
  });

  it('200: revalidates by ETag, and a write is seen at once', async () => {
    const client = await newClient(service());
    await post(client, { name: 'a', prompt: 'one', labels: ['production'] });
    const first = await callLangfuse(client, 'GET', langfusePath('a'));
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    assert.equal((await callLangfuse(client, 'GET', langfusePath('a'), { headers })).status, 304);
    assert.equal(await countHandled(() => read(client, 'a')), 0, 'from the fast path, by one lookup');
    assert.equal(await countHandled(() => read(client, 'a', '?unknown=1')), 1, 'what may have any form is not cached');
    assert.equal(await countHandled(() => read(client, 'a', '?unknown=1')), 1);
    await post(client, { name: 'a', prompt: 'two', labels: ['production'] });
    assert.equal(((await callLangfuse(client, 'GET', langfusePath('a'), { headers })).body as { prompt: string }).prompt, 'two');
  });
});

describeOnEveryEngine('GET /api/public/v2/prompts', (service) => {
  it('200: pages by number, with filters that narrow what is shown', async () => {
    const client = await newClient(service());
    for (const name of ['c', 'a', 'b']) await post(client, { name, prompt: 'one', labels: ['old'], tags: [name] });
    await post(client, { name: 'a', prompt: 'two', labels: ['production'], config: { two: 2 } });
    const list = async (query: string) => {
      const response = await callLangfuse(client, 'GET', `${promptsPath}${query}`);
      assert.equal(response.status, 200, response.text);
      return response.body as ListBody;
    };
    const all = await list('');
    assert.deepEqual(
      all.data.map(({ name }) => name),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(all.meta, { page: 1, limit: 10, totalItems: 3, totalPages: 1 });
    assert.deepEqual(all.pagination, all.meta);
    const { lastUpdatedAt, ...a } = all.data[0] ?? assert.fail();
    assert.deepEqual(a, {
      name: 'a',
      type: 'text',
      versions: [1, 2],
      labels: ['old', 'production', 'latest'],
      tags: ['a'],
      lastConfig: { two: 2 },
    });
    const old = await list('?label=old&name=a');
    assert.deepEqual([old.data[0]?.versions, old.data[0]?.labels, old.data[0]?.lastConfig], [[1], ['old'], {}]);
    assert.deepEqual([(await list('?page=2&limit=2')).data.map(({ name }) => name), (await list('?tag=b')).meta.totalItems], [['c'], 1]);
    assert.deepEqual((await list('?label=latest&name=a')).data[0]?.versions, [2]);
    assert.deepEqual((await list('?page=999999999999&limit=100')).data, []);
    const at = encodeURIComponent(lastUpdatedAt);
    assert.deepEqual(
      (await list(`?fromUpdatedAt=${at}`)).data.map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual((await list(`?toUpdatedAt=${at}`)).meta.totalItems, 2);
    for (const query of ['?page=0', '?limit=101', '?limit=x', '?page=9999999999999999999', '?fromUpdatedAt=x', '?tag=%00']) {
      assert.equal((await callLangfuse(client, 'GET', `${promptsPath}${query}`)).status, 400, query);
    }
  });
});

describeOnEveryEngine('PATCH /api/public/v2/prompts/{name}/versions/{version}', (service) => {
  it('200: a page of many shows all versions and labels of a prompt with many deleted ones', async () => {
    const client = await newClient(service());
    await client.call('POST', '/api/prompts/batch', {
      items: Array.from({ length: 50 }, (_, index) => ({
        name: `p${String(index).padStart(2, '0')}`,
        template: '1',
        labels: ['production'],
      })),
    });
    for (let version = 2; version <= 52; version += 1) await client.save('p00', { template: `${version}` });
    for (let version = 3; version <= 51; version += 2) await client.call('DELETE', pathOf('p00', `/versions/${version}`));
    for (const limit of [1, 100]) {
      const { data } = await client.get<{ data: { versions: number[]; labels: string[] }[] }>(`/api/public/v2/prompts?limit=${limit}`);
      assert.deepEqual(data[0]?.versions, [1, ...Array.from({ length: 26 }, (_, index) => 2 * index + 2)]);
      assert.deepEqual(data[0]?.labels, ['production', 'latest']);
    }
  });

  it('200: adds labels, which move off other versions', async () => {
    const client = await newClient(service());
    await post(client, { name: 'a', prompt: 'one', labels: ['production', 'x'] });
    await post(client, { name: 'a', prompt: 'two', labels: ['y'] });
    const patch = (version: number, newLabels: unknown) =>
      callLangfuse(client, 'PATCH', langfusePath('a', `/versions/${version}`), { body: { newLabels } });
    const { body } = await patch(2, ['production', 'production']);
    assert.deepEqual((body as { labels: string[] }).labels, ['y', 'production', 'latest']);
    const before = (await client.call('GET', '/api/prompts')).headers.get('etag');
    const unchanged = await patch(1, []);
    assert.deepEqual([unchanged.status, (unchanged.body as { labels: string[] }).labels], [200, ['x']]);
    assert.equal((await client.call('GET', '/api/prompts')).headers.get('etag'), before, 'an empty list changes nothing');
    assertLangfuseError(await patch(1, ['latest']), 400, [['newLabels', 0]]);
    assertLangfuseError(await patch(1, ['Big']), 400, [['newLabels', 0]]);
    assertLangfuseError(await patch(3, ['x']), 404, 'LangfuseNotFoundError');
    assertLangfuseError(await patch(3, []), 404, 'LangfuseNotFoundError');
    assertLangfuseError(await patch(1, 'x'), 400, [['newLabels']]);
  });
});

describeOnEveryEngine('DELETE /api/public/v2/prompts/{name}', (service) => {
  it('204: by version, by label, or all; the last version takes the prompt with it', async () => {
    const client = await newClient(service());
    for (const prompt of ['one', 'two', 'three']) await post(client, { name: 'a', prompt, labels: [prompt] });
    const remove = (query = '', name = 'a') => callLangfuse(client, 'DELETE', langfusePath(name, query));
    assertLangfuseError(await remove('?version=1&label=one'), 400, [['version']]);
    assertLangfuseError(await remove('?label=none'), 404, 'LangfuseNotFoundError');
    assertLangfuseError(await remove('?version=9'), 404, 'LangfuseNotFoundError');
    assertLangfuseError(await remove('', 'none'), 404, 'LangfuseNotFoundError');
    assert.equal((await remove('?label=three')).status, 204);
    assert.equal((await read(client, 'a', '?label=latest')).version, 2);
    assert.equal((await remove('?version=1')).status, 204);
    assertLangfuseError(await remove('?version=1'), 404, 'LangfuseNotFoundError');
    assert.deepEqual([(await remove('?label=latest')).status, (await remove()).status], [204, 404]);
    assert.equal((await client.get<{ data: PromptBody[] }>('/api/prompts?deleted=true')).data.length, 1, 'in the bin');
    assert.equal((await post(client, { name: 'a', prompt: 'new' })).version, 1, 'another prompt');
  });

  it('400: while another prompt depends on it', async () => {
    const client = await newClient(service());
    await post(client, { name: 'tone', prompt: 'one', labels: ['production'] });
    await post(client, { name: 'tone', prompt: 'two' });
    await post(client, { name: 'a', prompt: '@@@langfusePrompt:name=tone|version=2@@@' });
    const remove = (query: string) => callLangfuse(client, 'DELETE', langfusePath('tone', query));
    assertLangfuseError(await remove('?version=2'), 400, 'InvalidRequestError');
    assertLangfuseError(await remove(''), 400, 'InvalidRequestError');
    assert.equal((await remove('?version=1')).status, 204, 'nobody includes production');
  });

  it('a page of the list has at most 1 MB of configs; the others are null, and none is left out', async () => {
    const client = await newClient(service());
    const config = { text: 'x'.repeat(60_000) };
    const names = Array.from({ length: 40 }, (_, index) => `p${10 + index}`);
    for (let start = 0; start < names.length; start += 10) {
      const items = names.slice(start, start + 10).map((name) => ({ name, template: 'Hello', syntax: 'mustache', config }));
      assert.equal((await client.call('POST', '/api/prompts/batch', { items })).status, 200);
    }
    const list = async (query: string) => (await callLangfuse(client, 'GET', `${promptsPath}${query}`)).body as ListBody;
    const { data, meta } = await list('?limit=100');
    assert.deepEqual([data.map(({ name }) => name), meta.totalItems], [names, 40]);
    const listed = data.filter(({ lastConfig }) => lastConfig !== null);
    assert.deepEqual([listed.length, data.findIndex(({ lastConfig }) => lastConfig === null)], [16, 16]);
    assert.ok(JSON.stringify(data).length < 1_100_000);
    assert.deepEqual(
      (await list('?limit=10&page=4')).data.map(({ lastConfig }) => lastConfig),
      Array(10).fill(config),
    );
  });
});
