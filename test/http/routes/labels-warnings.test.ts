import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SavedBatch } from '../../../src/contract/batch.ts';
import type { Warning } from '../../../src/contract/warnings.ts';
import type { ApiResponse } from '../../support/client.ts';
import { callLangfuse, langfusePath, promptsPath } from '../../support/langfuse.ts';
import { assertRefused, type Client, describeOnEveryEngine, newClient, pathOf, type VersionBody } from '../../support/prompts.ts';

const production = (name: string, query = '') => pathOf(name, `/labels/production${query}`);
const codesOf = (warnings: Warning[] = []) => warnings.map(({ code }) => code);
const warningsOf = ({ body }: ApiResponse) => (body as { warnings: Warning[] }).warnings;

/** Asserts that a move was refused with these warnings, and returns them. */
function assertWarned(response: ApiResponse, ...codes: string[]): Warning[] {
  assertRefused(response, 409, 'has_warnings');
  assert.deepEqual(codesOf(warningsOf(response)), codes);
  return warningsOf(response);
}

describeOnEveryEngine('Warnings before a label moves', (service) => {
  it('PUT …/labels/{label}: says which includes are missing, and strict=true refuses', async () => {
    const client = await newClient(service());
    await client.create({ name: 'tone', template: 'Kind', labels: ['staging'] });
    await client.create({ name: 'reply', template: 'Hello' });
    await client.save('reply', { template: "{% render 'tone' %}{% render 'gone' %}" });
    const [first] = assertWarned(
      await client.call('PUT', production('reply', '?strict=true'), { version: 2 }),
      'unknown_partial',
      'unknown_partial',
    );
    assert.equal(first?.message, 'There is no prompt "tone" with the label "production"');
    assert.equal((await client.get<VersionBody>(pathOf('reply'))).version, 1, 'nothing was moved');

    const moved = await client.call('PUT', production('reply'), { version: 2 });
    assert.equal(moved.status, 200);
    assert.deepEqual(codesOf(warningsOf(moved)), ['unknown_partial', 'unknown_partial']);
    assert.equal((await client.get<VersionBody>(pathOf('reply'))).version, 2);
    assertWarned(await client.call('PUT', production('reply', '?strict=true'), { version: 2 }), 'unknown_partial', 'unknown_partial');

    await client.label('tone', 'production', 1);
    await client.create({ name: 'gone', template: 'Back' });
    const fine = await client.call('PUT', production('reply', '?strict=true'), { version: 2 });
    assert.deepEqual([fine.status, warningsOf(fine)], [200, []]);
  });

  it('POST versions and prompts: the same for labels of a new version, and saving alone is never refused', async () => {
    const client = await newClient(service());
    const broken = { template: "{% render 'gone' %}" };
    assertWarned(await client.call('POST', '/api/prompts?strict=true', { name: 'a', ...broken }), 'unknown_partial');
    assertRefused(await client.call('GET', pathOf('a')), 404, 'prompt_not_found');
    const created = await client.call('POST', '/api/prompts?strict=true', { name: 'a', labels: [], ...broken });
    assert.deepEqual([created.status, codesOf(warningsOf(created))], [201, ['unknown_partial']]);
    const versions = pathOf('a', '/versions');
    assertWarned(await client.call('POST', `${versions}?strict=true`, { labels: ['staging'], ...broken }), 'unknown_partial');
    assert.equal((await client.get<VersionBody>(pathOf('a', '?label=latest'))).version, 1, 'nothing was saved');
    assert.equal((await client.call('POST', `${versions}?strict=true`, broken)).status, 201);
    assertRefused(await client.call('POST', `${versions}?strict=yes`, broken), 400, 'invalid_input', '/strict');
  });

  it('warns about empty messages and templates', async () => {
    const client = await newClient(service());
    assertWarned(await client.call('POST', '/api/prompts?strict=true', { name: 'text', template: ' \n' }), 'empty_message');
    const messages = [{ role: 'system', content: 'You help.' }, { placeholder: 'history' }, { role: 'user', content: ' ' }];
    const created = await client.create({ name: 'chat', messages });
    assert.deepEqual(created.warnings, [{ code: 'empty_message', message: 'Message 3 (user) is empty' }]);
    const saved = await client.save('chat', { messages });
    assert.deepEqual(saved.warnings, [], 'it is not deployed');
    assertWarned(await client.call('PUT', production('chat', '?strict=true'), { version: 2 }), 'empty_message');
  });

  it('POST /api/prompts/batch: each item is checked against the state after the whole batch', async () => {
    const client = await newClient(service());
    const items = [
      { name: 'reply', template: "{% render 'tone' %}" },
      { name: 'tone', template: 'Kind' },
      { name: 'broken', template: "{% render 'gone' %}" },
      { name: 'draft', template: "{% render 'gone' %}", labels: [] },
    ];
    const [warning] = assertWarned(await client.call('POST', '/api/prompts/batch?strict=true', { items }), 'unknown_partial');
    assert.equal(warning?.prompt, 'broken');
    assertRefused(await client.call('GET', pathOf('tone')), 404, 'prompt_not_found');
    const { data } = (await client.call('POST', '/api/prompts/batch', { items })).body as SavedBatch;
    assert.deepEqual(
      data.map(({ name, warnings }) => [name, warnings === undefined ? undefined : codesOf(warnings)]),
      [
        ['reply', undefined],
        ['tone', undefined],
        ['broken', ['unknown_partial']],
        ['draft', undefined],
      ],
    );
  });

  it('DELETE: warns before a label or a prompt that another prompt includes is removed', async () => {
    const client = await newClient(service());
    await client.create({ name: 'tone', template: 'Kind', labels: ['production', 'free'] });
    await client.create({ name: 'grüße', template: "{% render 'tone' %}" });
    const message = '"gr%C3%BC%C3%9Fe" includes this prompt at the label "production" and can no longer be rendered without it';
    const [warning] = assertWarned(await client.call('DELETE', production('tone', '?strict=true')), 'included_label');
    assert.deepEqual([warning?.prompt, warning?.label], ['grüße', 'production']);
    const free = await client.call('DELETE', pathOf('tone', '/labels/free?strict=true'));
    assert.deepEqual([free.status, free.headers.get('x-promptharbor-warning')], [204, null]);
    const removed = await client.call('DELETE', production('tone'));
    assert.deepEqual([removed.status, removed.headers.get('x-promptharbor-warning')], [204, message]);
    assertWarned(await client.call('DELETE', pathOf('tone', '?strict=true')), 'included_label');
    const deleted = await client.call('DELETE', pathOf('tone'));
    assert.deepEqual([deleted.status, deleted.headers.get('x-promptharbor-warning')], [204, message]);
  });

  it('DELETE: warns if more prompts have included the prompt than can be looked at', async () => {
    const client = await newClient(service());
    await client.create({ name: 'tone', template: 'Kind', labels: ['production', 'staging'] });
    for (const template of ["{% render 'tone' %}", 'Plain']) {
      const items = Array.from({ length: 150 }, (_, index) => ({ name: `p${index}`, template, labels: ['production'] }));
      while (items.length > 0) assert.equal((await client.call('POST', '/api/prompts/batch', { items: items.splice(0, 50) })).status, 200);
    }
    for (const path of [production('tone', '?strict=true'), pathOf('tone', '?strict=true')]) {
      const [warning] = assertWarned(await client.call('DELETE', path), 'included_label');
      assert.match(warning?.message ?? '', /cannot determine/);
    }
    assert.equal((await client.call('DELETE', pathOf('tone', '/labels/staging?strict=true'))).status, 204, 'nobody has included it');
    const removed = await client.call('DELETE', production('tone'));
    assert.equal(removed.status, 204);
    assert.match(removed.headers.get('x-promptharbor-warning') ?? '', /cannot determine/);
  });

  it('the endpoints of Langfuse send the warnings in a header', async () => {
    const client = await newClient(service());
    const body = { name: 'port', prompt: ' ', labels: ['production'] };
    const saved = await callLangfuse(client, 'POST', promptsPath, { body });
    assert.deepEqual([saved.status, saved.headers.get('x-promptharbor-warning')], [201, 'The template is empty']);
    const plain = await callLangfuse(client, 'POST', promptsPath, { body: { ...body, labels: [] } });
    assert.equal(plain.headers.get('x-promptharbor-warning'), null);
    const moved = await callLangfuse(client, 'PATCH', langfusePath('port', '/versions/2'), { body: { newLabels: ['production'] } });
    assert.deepEqual([moved.status, moved.headers.get('x-promptharbor-warning')], [200, 'The template is empty']);
  });

  it('warns about a variable that callers of the label do not send, with the number of renders that would have failed', async () => {
    const client = await newClient(service());
    await client.create({ name: 'greet', template: 'Hello {{ name }}', labels: ['production', 'staging'] });
    await renderTimes(client, 3, { variables: { name: 'Ada' } });
    await renderTimes(client, 2, { variables: { name: 'Ada', tone: 'kind' } });
    await renderTimes(client, 1, { variables: { name: 'Ada' }, version: 1 });
    await client.get(pathOf('greet'));
    await client.save('greet', { template: '{{ name }}, {{ tone }}{% if extra %}{{ extra }}{% endif %}' });
    const [warning] = assertWarned(await client.call('PUT', production('greet', '?strict=true'), { version: 2 }), 'missing_variable');
    assert.deepEqual([warning?.label, warning?.variable, warning?.rendersLast24Hours], ['production', 'tone', 3]);
    assert.match(warning?.message ?? '', /3 renders of "production" in the last 24 hours .* \{\{ tone \| default: "…" \}\}/);
    const staging = await client.label('greet', 'staging', 2);
    assert.deepEqual(warningsOf(staging), [], 'nobody calls it');
    const saved = await client.save('greet', { template: '{{ name }} {{ tone | default: "kind" }}', labels: ['production'] });
    assert.deepEqual(saved.warnings, []);
  });

  it('does not warn about a variable that callers have always sent, because the versions that they rendered required it', async () => {
    const client = await newClient(service());
    await client.create({ name: 'tone', template: 'Kind, {{ mood }}' });
    await client.create({ name: 'greet', template: "Hello {{ name }} {% render 'tone' %}" });
    await renderTimes(client, 3, { variables: { name: 'Ada', mood: 'calm' } });
    await client.save('greet', { template: 'Hello', labels: ['production'] });
    await renderTimes(client, 1, { variables: { name: 'Ada', mood: 'calm' } });
    const back = await client.call('PUT', production('greet', '?strict=true'), { version: 1 });
    assert.deepEqual([back.status, warningsOf(back)], [200, []]);

    await client.label('greet', 'production', 2);
    await renderTimes(client, 2, { variables: { mood: 'calm' } });
    const [warning, ...others] = assertWarned(
      await client.call('PUT', production('greet', '?strict=true'), { version: 1 }),
      'missing_variable',
    );
    assert.deepEqual([warning?.variable, warning?.rendersLast24Hours, others], ['name', 2, []]);
    await client.save('tone', { template: 'Kind', labels: ['production'] });
    await client.label('greet', 'production', 1);
    const included = await client.call('PUT', production('tone', '?strict=true'), { version: 1 });
    assert.deepEqual([included.status, warningsOf(included)], [200, []], 'the same for prompts that include it');
  });

  it('warns about a variable that may have been sent, if a version required more variables than are counted by name', async () => {
    const client = await newClient(service());
    const names = Array.from({ length: 60 }, (_, index) => `variable_${index}`);
    await client.create({ name: 'greet', template: names.map((name) => `{{ ${name} }}`).join('') });
    await renderTimes(client, 1, { variables: Object.fromEntries(names.map((name) => [name, 'x'])) });
    await client.save('greet', { template: 'Hello', labels: ['production'] });
    await client.save('greet', { template: '{{ variable_0 }}{{ variable_59 }}' });
    const [warning, ...others] = assertWarned(
      await client.call('PUT', production('greet', '?strict=true'), { version: 3 }),
      'missing_variable',
    );
    assert.deepEqual([warning?.variable, warning?.rendersLast24Hours, others], ['variable_59', undefined, []]);
    assert.match(warning?.message ?? '', /Up to 1 render of "production"/);
  });

  it('says for a variable of any kind how to make it optional', async () => {
    const client = await newClient(service());
    await client.create({ name: 'greet', template: 'Hello' });
    await renderTimes(client, 1, {});
    const template = '{% for topic in topics %}{{ topic }}{% endfor %}{{ user.name }}{{ tone }}';
    await client.save('greet', { template });
    const warnings = warningsOf(await client.label('greet', 'production', 2));
    const suggestionOf = (name: string) =>
      warnings
        .find(({ variable }) => variable === name)
        ?.message.split('. ')
        .at(-1);
    assert.equal(suggestionOf('topics'), 'Use it only in a condition, such as {% if topics %}…{% endif %}');
    assert.equal(suggestionOf('user'), 'Use it only in a condition, such as {% if user %}…{% endif %}');
    assert.equal(suggestionOf('tone'), 'Give it a default, such as {{ tone | default: "…" }}');
    const conditional = template.replace('{% for', '{% if topics %}{% for').replace('{% endfor %}', '{% endfor %}{% endif %}');
    const guarded = conditional.replace('{{ user.name }}', '{% if user %}{{ user.name }}{% endif %}').replace('tone', 'tone | default: ""');
    await client.label('greet', 'production', 1);
    assert.deepEqual((await client.save('greet', { template: guarded, labels: ['production'] })).warnings, [], 'the suggestions work');

    await client.label('greet', 'production', 1);
    const mustache = await client.save('greet', { template: '{{tone}}', syntax: 'mustache', labels: ['production'] });
    assert.match(mustache.warnings?.[0]?.message ?? '', /Use it only in a section, such as \{\{#tone\}\}…\{\{\/tone\}\}$/);
    await client.label('greet', 'production', 1);
    const section = await client.save('greet', { template: '{{#tone}}{{tone}}{{/tone}}', syntax: 'mustache', labels: ['production'] });
    assert.deepEqual(section.warnings, []);
  });

  it('warns about a variable that callers of prompts which include this one do not send', async () => {
    const client = await newClient(service());
    await client.create({ name: 'tone', template: 'Kind' });
    await client.create({ name: 'greet', template: "{% render 'tone' %}" });
    await client.create({ name: 'other', template: "{% render 'tone', mood: 'calm' %}" });
    await renderTimes(client, 2, {});
    await renderTimes(client, 1, { variables: { mood: 'calm' } });
    assert.equal((await client.render('other', {})).status, 200);
    await client.save('tone', { template: '{{ mood }}' });
    const [warning] = assertWarned(await client.call('PUT', production('tone', '?strict=true'), { version: 2 }), 'missing_variable');
    const { prompt, label, variable, rendersLast24Hours } = warning ?? assert.fail();
    assert.deepEqual([prompt, label, variable, rendersLast24Hours], ['greet', 'production', 'mood', 2]);
    assert.match(
      warning?.message ?? '',
      /and "greet" includes this prompt\. 2 renders of "greet" at "production" in the last 24 hours did not send it/,
    );
    const items = [
      { name: 'greet', template: "{% render 'tone', mood: 'calm' %}", labels: ['production'] },
      { name: 'tone', template: '{{ mood }}', labels: ['production'] },
    ];
    assert.equal((await client.call('POST', '/api/prompts/batch?strict=true', { items, skipUnchanged: true })).status, 200);
  });

  it('warns about a variable that may have been sent, if callers sent more variables than are counted by name', async () => {
    for (const perCall of [1, 30]) {
      const client = await newClient(service());
      await client.create({ name: 'greet', template: 'Hello' });
      const names = [...Array.from({ length: 29 }, (_, index) => `v${index}`), 'tone'];
      while (names.length > 0) {
        const variables = Object.fromEntries(names.splice(0, perCall).map((name) => [name, 'x']));
        await renderTimes(client, 1, { variables });
      }
      await client.save('greet', { template: '{{ tone }}' });
      const [warning] = assertWarned(await client.call('PUT', production('greet', '?strict=true'), { version: 2 }), 'missing_variable');
      assert.equal(warning?.rendersLast24Hours, undefined, 'it is not known');
      const count = perCall === 1 ? 'Up to 30 renders' : 'Up to 1 render';
      assert.match(
        warning?.message ?? '',
        new RegExp(`"tone" is required, but .*[.] ${count} of "production" in the last 24 hours may not have sent it`),
      );
      assert.match(warning?.message ?? '', /too many variables to count each by name/);
    }
  });
});

async function renderTimes(client: Client, times: number, body: Record<string, unknown>): Promise<void> {
  for (let count = 0; count < times; count += 1) assert.equal((await client.render('greet', body)).status, 200);
}
