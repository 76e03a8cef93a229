import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { call } from '../../support/client.ts';
import { assertRefused, type Client, describeOnEveryEngine, newClient } from '../../support/prompts.ts';

const history = [
  { role: 'user', content: 'Hi {{ name }}' },
  { role: 'assistant', content: 'Hello' },
];

describeOnEveryEngine('POST /api/prompts/{name}/render', (service) => {
  let client: Client;
  before(async () => {
    client = await newClient(service());
    await client.create({ name: 'text', template: 'one {{ name }}', config: { t: 1 } });
    await client.save('text', { template: 'two {{ name }} {{ other }}', config: { t: 2 }, labels: ['staging'] });
    await client.save('text', { template: 'three' });
    const messages = [
      { role: 'system', content: 'For {{ name }}' },
      { placeholder: 'history' },
      { role: 'user', content: 'Now' },
      { placeholder: 'history' },
    ];
    await client.create({ name: 'chat', messages });
  });

  it('200: text, at production, a label or a version, with its config', async () => {
    const variables = { name: 'Ada', other: 'x', unused: 1 };
    const rendered = async (choice: object) => (await client.render('text', { variables, ...choice })).body;
    assert.deepEqual(await rendered({}), { name: 'text', version: 1, text: 'one Ada', config: { t: 1 } });
    assert.deepEqual(await rendered({ label: 'staging' }), { name: 'text', version: 2, text: 'two Ada x', config: { t: 2 } });
    assert.deepEqual(await rendered({ label: 'latest' }), { name: 'text', version: 3, text: 'three', config: {} });
    assert.deepEqual(await rendered({ version: 1 }), { name: 'text', version: 1, text: 'one Ada', config: { t: 1 } });
  });

  it('200: chat, with the caller’s messages in place of each placeholder, untouched', async () => {
    const { body } = await client.render('chat', { variables: { name: 'Ada', history } });
    const messages = [{ role: 'system', content: 'For Ada' }, ...history, { role: 'user', content: 'Now' }, ...history];
    assert.deepEqual(body, { name: 'chat', version: 1, messages, config: {} });
    for (const none of [{}, { history: [] }, { history: null }]) {
      const response = await client.render('chat', { variables: { name: 'Ada', ...none } });
      assert.deepEqual((response.body as { messages: unknown[] }).messages, [
        { role: 'system', content: 'For Ada' },
        { role: 'user', content: 'Now' },
      ]);
    }
  });

  it('400: label and version together, wrong types, unknown fields, invalid messages', async () => {
    assertRefused(await client.render('text', { label: 'staging', version: 1 }), 400, 'invalid_input', '/version');
    assertRefused(await client.render('text', { variables: [] }), 400, 'invalid_input', '/variables');
    assertRefused(await client.render('text', { version: 2 ** 31 }), 400, 'invalid_input', '/version');
    assertRefused(await client.render('text', { vars: {} }), 400, 'invalid_input', '/vars');
    assertRefused(await client.render('text', { label: 'UPPER' }), 400, 'invalid_input');
    for (const wrong of ['text', {}, 1]) {
      assertRefused(await client.render('chat', { variables: { name: 'x', history: wrong } }), 400, 'invalid_input', '/variables/history');
    }
    for (const wrong of [null, 'x', { role: 'robot', content: 'x' }, { role: 'user' }, { role: 'user', content: [] }]) {
      const response = await client.render('chat', { variables: { name: 'x', history: [...history, wrong] } });
      assertRefused(response, 400, 'invalid_input', '/variables/history/2');
    }
  });

  it('401, 404: no key; no such prompt, label or version', async () => {
    assert.equal((await call(service(), 'POST', '/api/prompts/text/render', { body: {} })).text, '{"error":"Unauthorized"}');
    assertRefused(await client.render('nobody', {}), 404, 'prompt_not_found');
    assertRefused(await client.render('text', { label: 'canary' }), 404, 'label_not_found');
    assertRefused(await client.render('text', { version: 9 }), 404, 'version_not_found');
  });

  it('422: names all variables that are missing', async () => {
    const { error } = assertRefused(
      await client.render('text', { label: 'staging' }),
      422,
      'missing_variables',
      '/variables/name',
      '/variables/other',
    );
    assert.match(error, /name, other/);
    await client.create({ name: 'built-in', template: '{{ toString }}{{ valueOf }}' });
    assertRefused(await client.render('built-in', {}), 422, 'missing_variables', '/variables/toString', '/variables/valueOf');
    const many = Array.from({ length: 30 }, (_, index) => `v${index}`);
    await client.create({ name: 'many', template: many.map((name) => `{{ ${name} }}`).join('') });
    const body = assertRefused(await client.render('many', {}), 422, 'missing_variables');
    assert.deepEqual([body.details?.length, body.error.endsWith('v19 and 10 more')], [30, true]);
  });

  it('422: an error during rendering has its position', async () => {
    await client.create({ name: 'fails', template: 'Hello\n{% for i in (1..n) %}{{ i }}{% endfor %}' });
    const { details } = assertRefused(await client.render('fails', { variables: { n: 1e12 } }), 422, 'render_failed', '/template');
    assert.deepEqual([details?.[0]?.line, details?.[0]?.column], [2, 1]);
  });
});

describeOnEveryEngine('POST /api/render', (service) => {
  it('200: renders content that is not saved, and returns its variables', async () => {
    const client = await newClient(service());
    await client.create({ name: 'tone', template: 'Be {{ mood }}.' });
    const preview = await client.call('POST', '/api/render', {
      template: "{% render 'tone' %} {{ x | default: 'y' }}",
      config: { a: 1 },
      variables: { mood: 'kind' },
    });
    const variables = [
      { name: 'x', required: false, kind: 'text' },
      { name: 'mood', required: true, kind: 'text' },
    ];
    assert.deepEqual(preview.body, { text: 'Be kind. y', config: { a: 1 }, variables });
    const chat = await client.call('POST', '/api/render', {
      messages: [{ role: 'user', content: '{{ a }}' }, { placeholder: 'h' }],
      variables: { a: 'b', h: history },
    });
    assert.deepEqual((chat.body as { messages: unknown }).messages, [{ role: 'user', content: 'b' }, ...history]);
    assert.equal((await client.get<{ data: unknown[] }>('/api/prompts')).data.length, 1, 'nothing is saved');
  });

  it('400, 401, 422: as for saving and rendering', async () => {
    const client = await newClient(service());
    const preview = (body: unknown) => client.call('POST', '/api/render', body);
    assertRefused(await preview({}), 400, 'invalid_input', '/template');
    assertRefused(await preview({ template: 'x', messages: [{ role: 'user', content: 'x' }] }), 400, 'invalid_input', '/messages');
    assertRefused(await preview({ template: 'x', config: { a: 'c'.repeat(65_536) } }), 400, 'invalid_input', '/config');
    assertRefused(await preview({ template: '{{ a b }}' }), 400, 'invalid_template', '/template');
    assertRefused(await preview({ template: '{{ a }}' }), 422, 'missing_variables', '/variables/a');
    assertRefused(await preview({ template: "{% render 'nobody' %}" }), 422, 'unresolved_partial');
    assert.equal((await call(service(), 'POST', '/api/render', { body: { template: 'x' } })).status, 401);
  });
});
