import assert from 'node:assert/strict';
import { it } from 'node:test';
import { register } from '../../support/client.ts';
import {
  assertRefused,
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PromptBody,
  pathOf,
  type VersionBody,
} from '../../support/prompts.ts';

describeOnEveryEngine('The life of a prompt', (service) => {
  it('written, improved, deployed, rolled back, renamed, fetched, deleted, restored: over HTTP, by one account with its key', async () => {
    const client = await newClient(service(), await register(service()));

    await client.create({ name: 'shared/tone', template: 'Be {{ mood | default: "kind" }}.' });
    const made = await client.create({
      name: 'support/reply',
      description: 'Replies to a customer',
      tags: ['support'],
      template: "{% render 'shared/tone' %} Reply to {{ customer }}: {{ question }}",
      config: { model: 'some-model' },
    });
    assert.deepEqual(made.version.variables, [
      { name: 'customer', required: true, kind: 'text' },
      { name: 'question', required: true, kind: 'text' },
      { name: 'mood', required: false, kind: 'text' },
    ]);

    const variables = { customer: 'Ada', question: 'Where is it?' };
    const first = (await client.render('support/reply', { variables })).body;
    assert.deepEqual(first, {
      name: 'support/reply',
      version: 1,
      text: 'Be kind. Reply to Ada: Where is it?',
      config: { model: 'some-model' },
    });

    const better = await client.save('support/reply', {
      template: "{% render 'shared/tone', mood: 'brief' %} Reply to {{ customer }} in {{ language }}: {{ question }}",
      message: 'In their language',
      labels: ['staging'],
      baseVersion: 1,
    });
    assert.equal(better.version, 2);
    assert.equal((await client.get<VersionBody>(pathOf('support/reply'))).version, 1, 'production is as it was');
    const missing = await client.render('support/reply', { variables, label: 'staging' });
    assertRefused(missing, 422, 'missing_variables', '/variables/language');
    const staged = await client.render('support/reply', { variables: { ...variables, language: 'French' }, label: 'staging' });
    assert.equal((staged.body as { text: string }).text, 'Be brief. Reply to Ada in French: Where is it?');

    const diff = await client.get<{ text: string }>(pathOf('support/reply', '/diff?from=1&to=2'));
    assert.match(diff.text, /^\+.*mood: 'brief'/m);

    await client.label('support/reply', 'production', 2);
    assert.equal((await client.get<VersionBody>(pathOf('support/reply'))).version, 2, 'deployed');
    await client.label('support/reply', 'production', 1);
    assert.equal((await client.get<VersionBody>(pathOf('support/reply'))).version, 1, 'rolled back');

    await client.call('PATCH', pathOf('support/reply'), { name: 'support/response', tags: ['support', 'mail'] });
    const start = await client.get<ListBody>('/api/prompts?include=content&tag=mail');
    assert.deepEqual(
      start.data.map(({ name, tags, version }) => [name, tags, version?.version]),
      [['support/response', ['mail', 'support'], 1]],
    );

    assert.equal((await client.call('DELETE', pathOf('support/response'))).status, 204);
    assertRefused(await client.render('support/response', { variables }), 404, 'prompt_not_found');
    const back = (await client.call('POST', pathOf('support/response', '/restore'))).body as PromptBody;
    assert.deepEqual([back.id, back.latestVersion, back.labels], [made.id, 2, { production: 1, staging: 2 }]);

    const { data } = await client.get<ListBody<{ type: string }>>(pathOf('support/response', '/history'));
    assert.deepEqual(data.map(({ type }) => type).reverse(), [
      'created',
      'label_moved',
      'version_saved',
      'label_moved',
      'label_moved',
      'label_moved',
      'renamed',
      'described',
      'deleted',
      'restored',
    ]);
  });
});
