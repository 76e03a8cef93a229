import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused, type Client, describeOnEveryEngine, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';

async function textOf(client: Client, name: string, body: Record<string, unknown> = {}): Promise<string> {
  const response = await client.render(name, body);
  assert.equal(response.status, 200, response.text);
  return (response.body as { text: string }).text;
}

async function codesOf(client: Client, name: string, template: string): Promise<string[] | undefined> {
  return (await client.create({ name, template })).warnings?.map(({ code }) => code);
}

describeOnEveryEngine('Prompts that include others', (service) => {
  it('200: at production, at a label, and at latest', async () => {
    const client = await newClient(service());
    await client.create({ name: 'tone', template: 'one' });
    await client.save('tone', { template: 'two', labels: ['staging'] });
    await client.save('tone', { template: 'three' });
    await client.create({
      name: 'a',
      template: "{% render 'tone' %} {% render 'tone', label: 'staging' %} {% render 'tone', label: 'latest' %}",
    });
    assert.equal(await textOf(client, 'a'), 'one two three');
    await client.label('tone', 'production', 3);
    assert.equal(await textOf(client, 'a'), 'three two three', 'the label is followed when rendering, not when saving');
  });

  it('200: arguments are visible inside, at every level; assignments outside are not', async () => {
    const client = await newClient(service());
    await client.create({ name: 'inner', template: '[{{ topic }} {{ mood }} {{ secret }}]' });
    await client.create({ name: 'outer', template: "{% assign secret = 1 %}{% render 'inner', mood: who.mood %}" });
    const { version } = await client.create({ name: 'a', template: "{% render 'outer', topic: 'ships' %}" });
    assert.deepEqual(version.variables, [
      { name: 'secret', required: true, kind: 'text' },
      { name: 'who', required: true, kind: 'object', fields: [{ name: 'mood', required: true, kind: 'text' }] },
    ]);
    assert.equal(await textOf(client, 'a', { variables: { who: { mood: 'calm' }, secret: 'S', topic: 'planes' } }), '[ships calm S]');
  });

  it('200: variables of a prompt included under a condition are optional; they follow changes to the included prompt', async () => {
    const client = await newClient(service());
    await client.create({ name: 'p', template: '{{ x }}' });
    await client.create({ name: 'a', template: "{% if y %}{% render 'p' %}{% endif %}" });
    await client.create({ name: 'b', template: "{% render 'p' %}" });
    const variables = async (name: string) => (await client.get<VersionBody>(pathOf(name))).variables;
    assert.deepEqual(await variables('a'), [
      { name: 'y', required: false, kind: 'text' },
      { name: 'x', required: false, kind: 'text' },
    ]);
    assert.deepEqual(await variables('b'), [{ name: 'x', required: true, kind: 'text' }]);
    await client.save('p', { template: '{{ z }}', labels: ['production'] });
    assert.deepEqual(await variables('b'), [{ name: 'z', required: true, kind: 'text' }]);
    assertRefused(await client.render('b', {}), 422, 'missing_variables', '/variables/z');
  });

  it('422: an include that is missing, a chat prompt, circular or too deep; a warning when saving', async () => {
    const client = await newClient(service());
    await client.create({ name: 'chat', messages: [{ role: 'user', content: 'x' }] });
    assert.deepEqual(await codesOf(client, 'lost', "{% render 'nobody' %}"), ['unknown_partial']);
    assert.deepEqual(await codesOf(client, 'chatty', "{% render 'chat' %}"), ['chat_partial']);
    assert.deepEqual(await codesOf(client, 'self', "{% render 'self' %}"), ['circular_partial']);
    assert.deepEqual(await codesOf(client, 'ring1', "{% render 'ring2' %}"), ['unknown_partial']);
    assert.deepEqual(await codesOf(client, 'ring2', "{% render 'ring1' %}"), ['circular_partial']);
    await client.create({ name: 'deep8', template: 'end' });
    for (let level = 7; level >= 0; level -= 1) await client.create({ name: `deep${level}`, template: `{% render 'deep${level + 1}' %}` });
    assert.equal(await textOf(client, 'deep0'), 'end', '8 levels are fine');
    assert.deepEqual(await codesOf(client, 'too-deep', "{% render 'deep0' %}"), ['deep_partial']);
    for (const name of ['lost', 'chatty', 'self', 'ring1', 'ring2', 'too-deep']) {
      assertRefused(await client.render(name, {}), 422, 'unresolved_partial');
    }
    assert.deepEqual(await codesOf(client, 'into-ring', "{% render 'ring1' %}"), ['circular_partial']);
    assert.equal((await client.call('GET', pathOf('ring1'))).status, 200, 'what cannot be rendered can still be read and fixed');
  });

  it('422: a deleted prompt is missing until it is restored', async () => {
    const client = await newClient(service());
    await client.create({ name: 'p', template: 'x' });
    await client.create({ name: 'a', template: "{% render 'p' %}" });
    await client.call('DELETE', pathOf('p'));
    assertRefused(await client.render('a', {}), 422, 'unresolved_partial');
    await client.call('POST', pathOf('p', '/restore'));
    assert.equal(await textOf(client, 'a'), 'x');
  });

  it('422: a graph of includes with millions of paths does not block other requests', async () => {
    const client = await newClient(service());
    const width = 12;
    const all = (level: number) => Array.from({ length: width }, (_, index) => `{% render 'web/${level}-${index}' %}`).join('');
    for (let index = 0; index < width; index += 1) await client.create({ name: `web/7-${index}`, template: `{{ v${index} }}` });
    for (let level = 6; level >= 0; level -= 1) {
      await Promise.all(
        Array.from({ length: width }, (_, index) => client.create({ name: `web/${level}-${index}`, template: all(level + 1) })),
      );
    }
    const { version, warnings } = await client.create({ name: 'spider', template: all(0) });
    assert.deepEqual([version.variables.length, warnings], [width, []]);
    const variables = Object.fromEntries(Array.from({ length: width }, (_, index) => [`v${index}`, 'x'.repeat(100)]));
    const rendering = client.render('spider', { variables });
    assert.equal((await client.call('GET', '/api/auth/token')).status, 200);
    assert.equal((await rendering).status, 422);
  });

  it('400: a template that includes more than 100 prompts, or passes more than 500 variables', async () => {
    const client = await newClient(service());
    const references = Array.from({ length: 101 }, (_, index) => `{% render 'p${index}' %}`);
    assertRefused(
      await client.call('POST', '/api/prompts', { name: 'a', template: references.join('') }),
      400,
      'invalid_input',
      '/template',
    );
    const passed = Array.from({ length: 501 }, (_, index) => `v${index}: 1`);
    const template = `{% render 'p', ${passed.join(', ')} %}`;
    assertRefused(await client.call('POST', '/api/render', { template }), 400, 'invalid_input', '/template');
    assert.deepEqual((await client.get<{ data: unknown[] }>('/api/prompts')).data, []);
  });

  it('200: a version of an earlier release with thousands of includes and variables is still read, listed and replaced', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    const { store } = service().ctx;
    const names = Array.from({ length: 15_400 }, (_, index) => `p${index}`);
    const partials = names.map((name) => ({ name, label: 'production', conditional: false, bound: [] }));
    const variables = names.map((name) => ({ name, required: true }));
    await store.changePrompts(client.userId, async ({ prompts, versions }) => {
      const prompt = await prompts.find(client.userId, 'a');
      const record = prompt && (await versions.find(client.userId, prompt.id, 1));
      assert.ok(record);
      const version = { ...record, version: 2, partials: JSON.stringify(partials), variables: JSON.stringify(variables) };
      await versions.insert(client.userId, version);
      await prompts.update(client.userId, record.promptId, { latestVersion: 2, updatedAt: record.createdAt });
    });
    assert.equal((await client.get<VersionBody>(pathOf('a', '?label=latest'))).variables.length, 500);
    await client.get(pathOf('a', '/versions'));
    await client.get('/api/prompts?include=content&label=latest');
    assertRefused(await client.render('a', { label: 'latest' }), 422, 'unresolved_partial');
    assert.equal((await client.save('a', { template: 'y' })).version, 3);
  });

  it('422: more than 100 prompts in all levels together, or more than 500 variables', async () => {
    const client = await newClient(service());
    const names = ['p1', 'p2', 'p3', 'p4', 'p5'];
    const labels = Array.from({ length: 19 }, (_, index) => `l${index}`);
    for (const name of names) await client.create({ name, template: 'x', labels: ['production', ...labels] });
    const includes = names.flatMap((name) => [...labels, 'production'].map((label) => `{% render '${name}', label: '${label}' %}`));
    await client.create({ name: 'half', template: includes.slice(0, 50).join('') });
    assert.deepEqual(await codesOf(client, 'many', `{% render 'half' %}${includes.slice(50).join('')}`), ['many_partials']);
    assertRefused(await client.render('many', {}), 422, 'unresolved_partial');
    await client.save('many', { template: `{% render 'half' %}${includes.slice(51).join('')}`, labels: ['production'] });
    assert.equal(await textOf(client, 'many'), 'x'.repeat(99));

    const useAll = (prefix: string) => Array.from({ length: 300 }, (_, index) => `{{ ${prefix}${index} }}`).join('');
    await client.create({ name: 'a', template: useAll('a') });
    assert.deepEqual(await codesOf(client, 'b', `{% render 'a' %}${useAll('b')}`), ['many_variables']);
    assert.equal((await client.get<VersionBody>(pathOf('b'))).variables.length, 500);
    assert.match(assertRefused(await client.render('b', {}), 422, 'unresolved_partial').error, /500 variables/);
  });
});
