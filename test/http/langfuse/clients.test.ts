import assert from 'node:assert/strict';
import { it } from 'node:test';
import { call } from '../../support/client.ts';
import { basic, newLangfuse, newLegacyLangfuse } from '../../support/langfuse.ts';
import { describeOnEveryEngine, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';

describeOnEveryEngine('The current client of Langfuse', (service) => {
  it('creates, reads, labels, lists and deletes a text prompt', async () => {
    const client = await newClient(service());
    const langfuse = newLangfuse(client);
    const text =
      'Hello {{name}}, {{#vip}}welcome back{{/vip}}{{^vip}}hi{{/vip}} {{! comment }}{{{raw}}} {{&amp}} {{> partial}} {"a": {{"b": 1}}}';
    const created = await langfuse.prompt.create({ name: 'greet/user', prompt: text, config: { model: 'm' }, tags: ['a'] });
    assert.deepEqual([created.version, created.labels, created.prompt], [1, ['latest'], text], 'no label but latest, byte for byte');
    await assert.rejects(
      langfuse.prompt.get('greet/user', { cacheTtlSeconds: 0, maxRetries: 0 }),
      /Prompt not found: 'greet\/user' with label 'production'/,
    );

    await langfuse.prompt.update({ name: 'greet/user', version: 1, newLabels: ['production'] });
    const prompt = await langfuse.prompt.get('greet/user', { cacheTtlSeconds: 0 });
    assert.deepEqual([prompt.version, prompt.prompt, prompt.config, prompt.tags], [1, text, { model: 'm' }, ['a']]);
    const variables = { name: 'Ada', vip: true, raw: '<b>', amp: '&' };
    const compiled = prompt.compile({ ...variables, vip: 'yes' });
    const rendered = await client.render('greet/user', { variables: { ...variables, '"b": 1': '', vip: 'yes' } });
    assert.equal((rendered.body as { text: string }).text, compiled, 'rendered here and there alike');

    const second = await langfuse.prompt.create({ name: 'greet/user', prompt: 'Two', labels: ['production'], commitMessage: 'Shorter' });
    assert.deepEqual([second.version, second.labels], [2, ['production', 'latest']]);
    const { data, meta } = await langfuse.api.prompts.list({ name: 'greet/user' });
    assert.deepEqual([data[0]?.versions, data[0]?.labels, data[0]?.lastConfig, meta.totalItems], [[1, 2], ['production', 'latest'], {}, 1]);

    await langfuse.prompt.delete('greet/user', { version: 2 });
    assert.equal((await langfuse.prompt.get('greet/user', { label: 'latest', cacheTtlSeconds: 0 })).version, 1);
    assert.equal((await langfuse.prompt.create({ name: 'greet/user', prompt: 'Three' })).version, 3, 'no number is used again');
    await langfuse.prompt.delete('greet/user');
    assert.deepEqual((await langfuse.api.prompts.list()).data, []);
  });

  it('creates and compiles a chat prompt with placeholders', async () => {
    const client = await newClient(service());
    const langfuse = newLangfuse(client);
    await langfuse.prompt.create({
      name: 'chat',
      type: 'chat',
      prompt: [
        { role: 'system', content: 'You speak {{language}}.' },
        { type: 'placeholder', name: 'history' },
        { role: 'critic', content: 'Any role' },
      ],
      labels: ['production'],
    });
    const prompt = await langfuse.prompt.get('chat', { type: 'chat', cacheTtlSeconds: 0 });
    const compiled = prompt.compile({ language: 'French' }, { history: [{ role: 'user', content: 'Bonjour' }] });
    assert.deepEqual(compiled, [
      { role: 'system', content: 'You speak French.' },
      { role: 'user', content: 'Bonjour' },
      { role: 'critic', content: 'Any role' },
    ]);
    const { body } = await client.render('chat', { variables: { language: 'French', history: [{ role: 'user', content: 'Bonjour' }] } });
    assert.deepEqual((body as { messages: unknown }).messages, compiled);
    const version = await client.get<VersionBody>(pathOf('chat'));
    assert.deepEqual([version.syntax, version.messages?.[1]], ['mustache', { placeholder: 'history' }]);
  });

  it('composes prompts, in the service and in the client', async () => {
    const client = await newClient(service());
    const langfuse = newLangfuse(client);
    await langfuse.prompt.create({ name: 'tone', prompt: 'Be {{mood}}.', labels: ['production'] });
    const text = 'Sort this. @@@langfusePrompt:name=tone|label=production@@@ @@@langfusePrompt:name=tone|version=1@@@';
    await langfuse.prompt.create({ name: 'sort', prompt: text, labels: ['production'] });
    const resolved = await langfuse.api.prompts.get('sort');
    assert.equal(resolved.prompt, 'Sort this. Be {{mood}}. Be {{mood}}.');
    assert.equal((await langfuse.api.prompts.get('sort', { resolve: false })).prompt, text);
    const { body } = await client.render('sort', { variables: { mood: 'kind' } });
    assert.equal((body as { text: string }).text, 'Sort this. Be kind. Be kind.');
  });

  it('checks its credentials, and the health of the service', async () => {
    const client = await newClient(service());
    const { data } = await newLangfuse(client).api.projects.get();
    assert.deepEqual([data.length, data[0]?.id, data[0]?.name], [1, client.userId, 'Test']);
    assert.equal((await newLangfuse(client).api.health.health()).status, 'OK');
    const wrong = newLangfuse({ ...client, token: `ph_${'0'.repeat(64)}` });
    await assert.rejects(wrong.api.projects.get(), { statusCode: 401 });
  });

  it('counts reads by prompt and version, and never logs the key or the user name', async () => {
    const client = await newClient(service());
    const langfuse = newLangfuse({ ...client, userId: 'secret-user-name' });
    await langfuse.prompt.create({ name: 'counted', prompt: 'x', labels: ['production'] });
    for (let reads = 0; reads < 3; reads += 1) await langfuse.prompt.get('counted', { cacheTtlSeconds: 0 });
    await service().ctx.recorder.flush();
    const { byPrompt } = await client.get<{ byPrompt: { name: string; calls: number }[] }>('/api/stats');
    assert.deepEqual(
      byPrompt.map(({ name, calls }) => [name, calls]),
      [['counted', 3]],
    );
    const same = { ...basic(client.token, client.token), 'x-langfuse-public-key': client.token };
    assert.equal((await call(service(), 'GET', '/api/public/projects', { headers: same })).status, 200);
    assert.ok(!service().logs().includes(client.token));
    assert.ok(!service().logs().includes('secret-user-name'));
  });
});

describeOnEveryEngine('The legacy client of Langfuse', (service) => {
  it('creates, reads and labels prompts', async () => {
    const client = await newClient(service());
    const langfuse = newLegacyLangfuse(client);
    try {
      await langfuse.createPrompt({ name: 'old', prompt: 'Hello {{name}}', labels: ['production'], config: { a: 1 } });
      const prompt = await langfuse.getPrompt('old', undefined, { cacheTtlSeconds: 0 });
      assert.equal(prompt.compile({ name: 'Ada' }), 'Hello Ada');
      await langfuse.createPrompt({ name: 'old', prompt: 'Bye {{name}}', isActive: true });
      assert.equal((await langfuse.getPrompt('old', 2, { cacheTtlSeconds: 0 })).prompt, 'Bye {{name}}');
      await langfuse.updatePrompt({ name: 'old', version: 1, newLabels: ['staging'] });
      assert.equal((await langfuse.getPrompt('old', undefined, { label: 'staging', cacheTtlSeconds: 0 })).version, 1);
      await langfuse.createPrompt({
        name: 'talk',
        type: 'chat',
        prompt: [{ role: 'user', content: '{{question}}' }],
        labels: ['production'],
      });
      const chat = await langfuse.getPrompt('talk', undefined, { type: 'chat', cacheTtlSeconds: 0 });
      assert.deepEqual(chat.compile({ question: 'Why?' }), [{ role: 'user', content: 'Why?' }]);
    } finally {
      await langfuse.shutdownAsync();
    }
  });
});
