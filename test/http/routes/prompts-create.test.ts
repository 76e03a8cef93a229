import assert from 'node:assert/strict';
import { it } from 'node:test';
import { call } from '../../support/client.ts';
import { assertRefused, describeOnEveryEngine, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';

describeOnEveryEngine('POST /api/prompts', (service) => {
  it('201: the prompt with its first version, which is in production', async () => {
    const client = await newClient(service());
    const input = {
      name: 'support/triage',
      description: 'Sorts requests\nof all kinds',
      tags: ['support', 'älter', '日本'],
      template: 'Sort {{ request }} of {{ customer | default: "someone" }}.',
      config: { model: 'some-model', temperature: 0.2, tools: [{ name: 'search' }], nothing: null },
      message: 'First try',
    };
    const { version, warnings, ...prompt } = await client.create(input);
    assert.match(prompt.id, /^p_[0-9a-z]+_[0-9a-z]+$/);
    assert.deepEqual(prompt, {
      id: prompt.id,
      name: input.name,
      type: 'text',
      description: input.description,
      tags: ['support', 'älter', '日本'],
      latestVersion: 1,
      labels: { production: 1 },
      createdAt: prompt.createdAt,
      updatedAt: prompt.createdAt,
    });
    assert.equal(new Date(prompt.createdAt).toISOString(), prompt.createdAt);
    assert.deepEqual(version, {
      name: input.name,
      type: 'text',
      version: 1,
      labels: ['production'],
      syntax: 'liquid',
      template: input.template,
      variables: [
        { name: 'request', required: true, kind: 'text' },
        { name: 'customer', required: false, kind: 'text' },
      ],
      config: input.config,
      message: 'First try',
      createdAt: prompt.createdAt,
      by: { userId: client.userId, name: 'Test', via: 'api' },
    });
    assert.deepEqual(warnings, []);
    assert.deepEqual(await client.get(pathOf(input.name)), version);
  });

  it('201: the first version gets the labels that are given, and none for an empty list', async () => {
    const client = await newClient(service());
    const labeled = await client.create({ name: 'labeled', template: 'x', labels: ['staging', 'canary'] });
    assert.deepEqual(labeled.labels, { canary: 1, staging: 1 });
    assert.deepEqual(labeled.version, await client.get(pathOf('labeled', '?label=staging')));
    const unlabeled = await client.create({ name: 'unlabeled', template: 'x', labels: [] });
    assert.deepEqual(unlabeled.labels, {});
    const { error } = assertRefused(await client.call('GET', pathOf('unlabeled')), 404, 'label_not_found');
    assert.equal(
      error,
      'The prompt has no label "production", which is the default. The label "latest" always points at the newest version.',
    );
    assert.equal((await client.get<VersionBody>(pathOf('unlabeled', '?label=latest'))).version, 1);
  });

  it('201: a chat prompt with every role and a placeholder', async () => {
    const client = await newClient(service());
    const messages = [
      ...['system', 'developer', 'user', 'assistant', 'tool'].map((role) => ({ role, content: `${role} {{ topic }}` })),
      { placeholder: 'history' },
    ];
    const { type, version } = await client.create({ name: 'agent', messages });
    assert.equal(type, 'chat');
    assert.deepEqual(version.messages, messages);
    assert.equal(version.template, undefined);
    assert.deepEqual(version.variables, [
      { name: 'topic', required: true, kind: 'text' },
      {
        name: 'history',
        required: false,
        kind: 'list',
        items: {
          kind: 'object',
          fields: [
            { name: 'role', required: true, kind: 'text' },
            { name: 'content', required: true, kind: 'text' },
          ],
        },
      },
    ]);
  });

  it('201: the largest allowed values are accepted', async () => {
    const client = await newClient(service());
    const largest = {
      name: 'n'.repeat(200),
      description: '☃'.repeat(2000),
      tags: Array.from({ length: 20 }, (_, index) => `${index}`.padStart(50, 't')),
      template: 'x'.repeat(262_144),
      config: { text: 'c'.repeat(64 * 1024 - '{"text":""}'.length) },
      message: '☃'.repeat(500),
      labels: Array.from({ length: 20 }, (_, index) => `l${index}`.padEnd(50, 'x')),
    };
    const { version } = await client.create(largest);
    assert.equal(version.labels.length, 20);
    const messages = Array.from({ length: 100 }, () => ({ role: 'user', content: 'y'.repeat(2621) }));
    assert.equal((await client.create({ name: 'chat', messages })).version.messages?.length, 100);
  });

  it('201: any text is stored as it was sent', async () => {
    const client = await newClient(service());
    const text = 'tab\t crlf\r\n "quotes" \\ \u2028 😀 e\u0301 \u200f\ufeff <b>&amp;</b> {"json": {"a": [1, {}]}} %00 \u{10ffff}';
    const { version } = await client.create({ name: 'odd', description: text, template: text, message: text, config: { [text]: text } });
    assert.deepEqual([version.template, version.message, version.config], [text, text, { [text]: text }]);
    assert.deepEqual(await client.get(pathOf('odd')), version);
    const config = { 'a\0\n': ['\0', '\ud800', 1e300, -0.5, true, { '': null }], deep: nest(400) };
    assert.deepEqual((await client.create({ name: 'free', template: 'x', config })).version.config, config, 'config is any JSON');
    assert.deepEqual((await client.get<VersionBody>(pathOf('free'))).config, config);
    for (const [index, other] of [[], 'text', 0, false, null].entries()) {
      assert.deepEqual((await client.create({ name: `free-${index}`, template: 'x', config: other })).version.config, other);
      assert.deepEqual((await client.get<VersionBody>(pathOf(`free-${index}`))).config, other);
      assert.deepEqual(((await client.render(`free-${index}`, {})).body as VersionBody).config, other);
    }
  });

  const good = { name: 'a', template: 'x' };
  const refused: Record<string, [input: unknown, path: string]> = {
    'no name': [{ template: 'x' }, '/name'],
    'an empty name': [{ ...good, name: '' }, '/name'],
    'a name of 201 characters': [{ ...good, name: 'n'.repeat(201) }, '/name'],
    'a name with a space at its end': [{ ...good, name: 'a ' }, '/name'],
    'a name with a line break': [{ ...good, name: 'a\n' }, '/name'],
    'a name with a quote': [{ ...good, name: 'a"b' }, '/name'],
    'a name with a zero-width space': [{ ...good, name: 'a\u200Bb' }, '/name'],
    'a name with NUL': [{ ...good, name: 'a\0' }, '/name'],
    'a leading slash': [{ ...good, name: '/a' }, '/name'],
    'a trailing slash': [{ ...good, name: 'a/' }, '/name'],
    'an empty segment': [{ ...good, name: 'a//b' }, '/name'],
    'the name .': [{ ...good, name: '.' }, '/name'],
    'the name ..': [{ ...good, name: '..' }, '/name'],
    'a folder ..': [{ ...good, name: 'a/../b' }, '/name'],
    'a number as name': [{ ...good, name: 1 }, '/name'],
    'a description that is too long': [{ ...good, description: 'd'.repeat(2001) }, '/description'],
    'a description long by combining marks': [{ ...good, description: `e${'\u0301'.repeat(3000)}` }, '/description'],
    'a description with NUL': [{ ...good, description: 'a\0' }, '/description'],
    'a description with an escape character': [{ ...good, description: '\u001b[31m' }, '/description'],
    'a description with a lone surrogate': [{ ...good, description: '\ud800' }, '/description'],
    'null as description': [{ ...good, description: null }, '/description'],
    '21 tags': [{ ...good, tags: Array.from({ length: 21 }, String) }, '/tags'],
    'a tag of 51 characters': [{ ...good, tags: ['t'.repeat(51)] }, '/tags/0'],
    'a tag long by combining marks': [{ ...good, tags: ['a', `e${'\u0301'.repeat(50)}`] }, '/tags/1'],
    'an empty tag': [{ ...good, tags: ['a', ''] }, '/tags/1'],
    'the same tag twice': [{ ...good, tags: ['a', 'a'] }, '/tags'],
    'a tag with NUL': [{ ...good, tags: ['a\0'] }, '/tags/0'],
    'a tag with a lone surrogate': [{ ...good, tags: ['\udfff'] }, '/tags/0'],
    'a tag that is no text': [{ ...good, tags: [1] }, '/tags/0'],
    'tags as text': [{ ...good, tags: 'a' }, '/tags'],
    'neither template nor messages': [{ name: 'a' }, '/template'],
    'a chat prompt without messages': [{ name: 'a', type: 'chat' }, '/messages'],
    'both template and messages': [{ ...good, messages: [{ role: 'user', content: 'x' }] }, '/messages'],
    'a text prompt with messages': [{ name: 'a', type: 'text', messages: [{ role: 'user', content: 'x' }] }, '/messages'],
    'a chat prompt with a template': [{ ...good, type: 'chat' }, '/template'],
    'an unknown type': [{ ...good, type: 'image' }, '/type'],
    'a template that is too long': [{ ...good, template: 'x'.repeat(262_145) }, '/template'],
    'a template long by combining marks': [{ ...good, template: `e${'\u0301'.repeat(262_144)}` }, '/template'],
    'a template with NUL': [{ ...good, template: 'a\0' }, '/template'],
    'a template with a lone surrogate': [{ ...good, template: 'a\ud800b' }, '/template'],
    'a template that is no text': [{ ...good, template: { a: 1 } }, '/template'],
    'no messages at all': [{ name: 'a', messages: [] }, '/messages'],
    '101 messages': [{ name: 'a', messages: Array.from({ length: 101 }, () => ({ role: 'user', content: 'x' })) }, '/messages'],
    'messages too long together': [
      { name: 'a', messages: Array.from({ length: 2 }, () => ({ role: 'user', content: 'x'.repeat(131_073) })) },
      '/messages',
    ],
    'a message with NUL': [{ name: 'a', messages: [{ role: 'user', content: '\0' }] }, '/messages/0/content'],
    'config over 64 KiB': [{ ...good, config: { text: 'c'.repeat(64 * 1024) } }, '/config'],
    'config over 64 KiB in bytes, not characters': [{ ...good, config: { text: '☃'.repeat(32 * 1024) } }, '/config'],
    'a message of change that is too long': [{ ...good, message: 'm'.repeat(501) }, '/message'],
    'a message of change long by combining marks': [{ ...good, message: `e${'\u0301'.repeat(501)}` }, '/message'],
    'a message of change with NUL': [{ ...good, message: '\0' }, '/message'],
    '21 labels': [{ ...good, labels: Array.from({ length: 21 }, (_, index) => `l${index}`) }, '/labels'],
    'the label latest': [{ ...good, labels: ['latest'] }, '/labels'],
    'a label in capitals': [{ ...good, labels: ['Production'] }, '/labels/0'],
    'a label of 51 characters': [{ ...good, labels: ['l'.repeat(51)] }, '/labels/0'],
    'a label that ends with a dot': [{ ...good, labels: ['a.'] }, '/labels/0'],
    'the same label twice': [{ ...good, labels: ['a', 'a'] }, '/labels'],
    'an unknown field': [{ ...good, temlpate: 'x' }, '/temlpate'],
    'a field of the response': [{ ...good, id: 'p_1' }, '/id'],
  };
  it('400: every limit and wrong type, naming the field', async () => {
    const client = await newClient(service());
    for (const [what, [input, path]] of Object.entries(refused)) {
      const response = await client.call('POST', '/api/prompts', input);
      assert.equal(response.status, 400, `${what}: ${response.text}`);
      const body = assertRefused(response, 400, 'invalid_input');
      assert.ok(
        body.details?.every((problem) => problem.path === path && problem.message.length > 0),
        `${what}: ${response.text}`,
      );
    }
    assert.deepEqual(await client.get('/api/prompts'), { data: [], nextCursor: null }, 'nothing was created');
  });

  it('400: a wrong message says which one', async () => {
    const client = await newClient(service());
    const wrong: unknown[] = [
      { role: 'robot', content: 'x' },
      { role: 'user' },
      { role: 'user', content: 1 },
      { role: 'user', content: 'x', name: 'y' },
      { placeholder: '' },
      { placeholder: 'a b' },
      { placeholder: 'p'.repeat(101) },
      { placeholder: 'x', role: 'user' },
      'text',
      null,
    ];
    for (const message of wrong) {
      const response = await client.call('POST', '/api/prompts', { name: 'a', messages: [{ role: 'user', content: 'x' }, message] });
      const { details } = assertRefused(response, 400, 'invalid_input');
      assert.ok(
        details?.every(({ path }) => path.startsWith('/messages/1')),
        response.text,
      );
    }
  });

  it('400: JSON that is nested too deep', async () => {
    const client = await newClient(service());
    for (const depth of [600, 20_000, 150_000]) {
      const config = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
      const response = await fetch(`${client.service.url}/api/prompts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
        body: `{"name":"deep","template":"x","config":${config}}`,
      });
      assert.equal(response.status, 400, `${depth}: ${await response.text()}`);
    }
  });

  it('400: a template that does not parse, with line and column', async () => {
    const client = await newClient(service());
    const response = await client.call('POST', '/api/prompts', { name: 'a', template: 'Hello\n  {% if x %}' });
    const { details } = assertRefused(response, 400, 'invalid_template', '/template');
    assert.deepEqual([details?.[0]?.line, details?.[0]?.column], [2, 3]);
    const chat = await client.call('POST', '/api/prompts', {
      name: 'a',
      messages: [{ role: 'user', content: '{{' }, { placeholder: 'x' }, { role: 'user', content: '{% nonsense %}' }],
    });
    assertRefused(chat, 400, 'invalid_template', '/messages/0/content', '/messages/2/content');
  });

  it('401: no key, with exactly the specified body', async () => {
    const response = await call(service(), 'POST', '/api/prompts', { body: good });
    assert.deepEqual([response.status, response.text], [401, '{"error":"Unauthorized"}']);
  });

  it('409: the name is taken, even if all else differs; another account may use it', async () => {
    const client = await newClient(service());
    await client.create(good);
    assertRefused(await client.call('POST', '/api/prompts', { ...good, template: 'y' }), 409, 'name_taken');
    assert.equal((await client.get<VersionBody>(pathOf('a'))).template, 'x');
    assert.equal((await client.create({ ...good, name: 'A' })).name, 'A', 'names are case-sensitive');
    assert.equal((await (await newClient(service())).create(good)).name, 'a');
  });

  it('413: a body over 1 MiB', async () => {
    const client = await newClient(service());
    const bodyOf = (bytes: number) => {
      const body = { ...good, message: '' };
      return { ...body, message: 'x'.repeat(bytes - JSON.stringify(body).length) };
    };
    assertRefused(await client.call('POST', '/api/prompts', bodyOf(1024 * 1024)), 400, 'invalid_input', '/message');
    assertRefused(await client.call('POST', '/api/prompts', bodyOf(1024 * 1024 + 1)), 413, 'body_too_large');
  });
});

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
