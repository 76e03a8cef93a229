import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  assertRefused,
  type Client,
  describeOnEveryEngine,
  newClient,
  type PromptBody,
  pathOf,
  readAll,
  type VersionBody,
} from '../../support/prompts.ts';

const huge = ['0', '-1', '1.5', 'abc', '2147483648', '99999999999999999999', '1e400', '%00'];

describeOnEveryEngine('GET /api/prompts/{name}', (service) => {
  let client: Client;
  it('200: the version in production by default, or by label or number', async () => {
    client = await newClient(service());
    await client.create({ name: 'a/b', template: 'one' });
    await client.save('a/b', { template: 'two', labels: ['staging'] });
    await client.save('a/b', { template: 'three' });
    const textAt = async (query: string) => (await client.get<VersionBody>(pathOf('a/b', query))).template;
    assert.deepEqual(await Promise.all(['', '?label=production', '?label=staging', '?label=latest', '?version=2'].map(textAt)), [
      'one',
      'one',
      'two',
      'three',
      'two',
    ]);
  });

  it('304: nothing changed, for one tag or a list of tags', async () => {
    const first = await client.call('GET', pathOf('a/b'));
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^W\/".+"$/);
    assert.equal(first.headers.get('cache-control'), 'private, no-cache');
    for (const tags of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
      const again = await client.call('GET', pathOf('a/b'), undefined, { headers: { 'if-none-match': tags } });
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag], tags);
    }
    const other = await client.call('GET', pathOf('a/b'), undefined, { headers: { 'if-none-match': '"other"' } });
    assert.deepEqual([other.status, other.text], [200, first.text]);
  });

  it('400: label and version together, wrong ones, and unknown parameters', async () => {
    assertRefused(await client.call('GET', pathOf('a/b', '?label=staging&version=2')), 400, 'invalid_input', '/version');
    for (const version of huge)
      assertRefused(await client.call('GET', pathOf('a/b', `?version=${version}`)), 400, 'invalid_input', '/version');
    assertRefused(await client.call('GET', pathOf('a/b', '?label=UPPER')), 400, 'invalid_input', '/label');
    assertRefused(await client.call('GET', pathOf('a/b', '?lable=staging')), 400, 'invalid_input', '/lable');
    assertRefused(await client.call('GET', pathOf('a/b', '?version=1&version=2')), 400, 'invalid_input', '/version');
  });

  it('404: names whether the prompt, the version or the label is missing', async () => {
    assertRefused(await client.call('GET', pathOf('nobody')), 404, 'prompt_not_found');
    const { error: noVersion } = assertRefused(await client.call('GET', pathOf('a/b', '?version=4')), 404, 'version_not_found');
    assert.equal(noVersion, 'The prompt has no version 4');
    const { error: noLabel } = assertRefused(await client.call('GET', pathOf('a/b', '?label=canary')), 404, 'label_not_found');
    assert.equal(noLabel, 'The prompt has no label "canary"');
    for (const odd of ['A/B', 'a%2Fb', 'a/', ' a/b', 'a\0b', '\ud83d\ude00', "a' or 1=1 --", 'n'.repeat(201)]) {
      assertRefused(await client.call('GET', pathOf(odd)), 404, 'prompt_not_found');
    }
  });
});

describeOnEveryEngine('POST /api/prompts/{name}/versions', (service) => {
  it('201: the next number; labels move only on request', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'one' });
    const second = await client.save('a', { template: 'two {{ x }}', config: { t: 1 }, message: 'More', baseVersion: 1 });
    assert.deepEqual(second, {
      name: 'a',
      type: 'text',
      version: 2,
      labels: [],
      syntax: 'liquid',
      template: 'two {{ x }}',
      variables: [{ name: 'x', required: true, kind: 'text' }],
      config: { t: 1 },
      message: 'More',
      createdAt: second.createdAt,
      by: { userId: client.userId, name: 'Test', via: 'api' },
      warnings: [],
    });
    const third = await client.save('a', { template: 'three', labels: ['staging', 'production'] });
    assert.deepEqual([third.version, third.labels], [3, ['production', 'staging']]);
    const { data } = await client.get<{ data: PromptBody[] }>('/api/prompts');
    assert.deepEqual([data[0]?.latestVersion, data[0]?.labels], [3, { production: 3, staging: 3 }]);
    assert.equal(data[0]?.updatedAt, third.createdAt);
    assert.equal((await client.get<VersionBody>(pathOf('a', '/versions/1'))).template, 'one', 'versions never change');
  });

  it('201: saves, with warnings', async () => {
    const client = await newClient(service());
    await client.create({ name: 'chat', messages: [{ role: 'user', content: 'x' }] });
    await client.create({ name: 'a', template: 'x' });
    const template = "{% render 'nobody' %}{% render 'chat' %}{% render 'a' %}{% render 'a', label: 'none' %}{% assign y = 1 %}";
    const { warnings } = await client.save('a', { template });
    assert.deepEqual(
      warnings?.map(({ code }) => code),
      ['unknown_partial', 'chat_partial', 'circular_partial', 'circular_partial', 'unused_variable'],
    );
    assert.match(warnings?.[0]?.message ?? '', /"nobody".*"production"/);
    assert.match(warnings?.[4]?.message ?? '', /"y"/);
  });

  it('400: content of the other type, wrong fields, a 21st label', async () => {
    const client = await newClient(service());
    await client.create({ name: 'text', template: 'x' });
    await client.create({ name: 'chat', messages: [{ role: 'user', content: 'x' }] });
    const save = (name: string, body: unknown) => client.call('POST', pathOf(name, '/versions'), body);
    assertRefused(await save('text', { messages: [{ role: 'user', content: 'x' }] }), 400, 'invalid_input', '/messages');
    assertRefused(await save('chat', { template: 'x' }), 400, 'invalid_input', '/template');
    assertRefused(await save('text', {}), 400, 'invalid_input', '/template');
    assertRefused(await save('chat', {}), 400, 'invalid_input', '/messages');
    assertRefused(await save('text', { template: 'x', name: 'y' }), 400, 'invalid_input', '/name');
    assertRefused(await save('text', { template: 'x', type: 'text' }), 400, 'invalid_input', '/type');
    assertRefused(await save('text', { template: '{% if %}' }), 400, 'invalid_template', '/template');
    for (const baseVersion of [0, -1, 1.5, '1', null]) {
      assertRefused(await save('text', { template: 'x', baseVersion }), 400, 'invalid_input', '/baseVersion');
    }
    const labels = Array.from({ length: 20 }, (_, index) => `l${index}`);
    assertRefused(await save('text', { template: 'x', labels }), 400, 'invalid_input', '/labels');
    assert.equal((await client.get<VersionBody>(pathOf('text', '?label=latest'))).version, 1, 'nothing was saved');
    for (const body of [[], 'x', 1, null]) assertRefused(await save('text', body), 400, 'invalid_input');
  });

  it('409: baseVersion is no longer the newest, and nothing is written', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'one' });
    await client.save('a', { template: 'two', baseVersion: 1 });
    const late = await client.call('POST', pathOf('a', '/versions'), { template: 'other two', baseVersion: 1, labels: ['late'] });
    assert.match(assertRefused(late, 409, 'version_conflict').error, /Version 2/);
    assertRefused(await client.call('POST', pathOf('a', '/versions'), { template: 'x', baseVersion: 3 }), 409, 'version_conflict');
    const history = await client.get<{ data: unknown[] }>(pathOf('a', '/history'));
    assert.equal(history.data.length, 3);
  });

  it('409: the prompt was replaced by one of another type while its version was being prepared', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'one' });
    const { templates } = service().ctx;
    const analyze = templates.analyze;
    templates.analyze = async (workspaceId, sources) => {
      templates.analyze = analyze;
      const result = await analyze(workspaceId, sources);
      await client.call('DELETE', pathOf('a'));
      await client.create({ name: 'a', messages: [{ role: 'user', content: 'new' }] });
      return result;
    };
    assertRefused(await client.call('POST', pathOf('a', '/versions'), { template: 'two' }), 409, 'version_conflict');
    assert.equal((await client.get<VersionBody>(pathOf('a', '?label=latest'))).version, 1);
  });
});

describeOnEveryEngine('GET /api/prompts/{name}/versions', (service) => {
  it('200: newest first, in pages that are complete during concurrent saves', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: '1' });
    for (let number = 2; number <= 12; number += 1) await client.save('a', { template: String(number), labels: [`v${number}`] });
    const seen = await readAll<VersionBody>(client, pathOf('a', '/versions?limit=5'), async () => {
      await client.save('a', { template: 'meanwhile' });
    });
    assert.deepEqual(
      seen.map(({ version, template }) => [version, template]),
      Array.from({ length: 12 }, (_, index) => [12 - index, String(12 - index)]),
    );
    assert.deepEqual(seen[0]?.labels, ['v12']);
    assert.deepEqual(seen.at(-1)?.labels, ['production']);
    const { version, ...rest } = await client.get<VersionBody>(pathOf('a', '/versions/12'));
    assert.deepEqual(seen[0], { version, ...rest });
  });

  it('400: a limit out of range, and a cursor of another list', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    for (const list of ['/versions', '/history']) {
      for (const limit of ['0', '101', '-1', '1.5', 'x', '']) {
        assertRefused(await client.call('GET', pathOf('a', `${list}?limit=${limit}`)), 400, 'invalid_input', '/limit');
      }
      for (const cursor of ['x', '', '%00', 'null', 'W10', Buffer.from('["prompts","a","b"]').toString('base64url'), 'x'.repeat(1001)]) {
        assertRefused(await client.call('GET', pathOf('a', `${list}?cursor=${cursor}`)), 400, 'invalid_input', '/cursor');
      }
    }
    for (const number of ['-1', '1.5', 'x', '1e9', '99999999999', "1' or 1"]) {
      const cursor = Buffer.from(JSON.stringify(['versions', number])).toString('base64url');
      assertRefused(await client.call('GET', pathOf('a', `/versions?cursor=${cursor}`)), 400, 'invalid_input', '/cursor');
    }
  });

  it('400, 404: one version by number', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    for (const version of huge)
      assertRefused(await client.call('GET', pathOf('a', `/versions/${version}`)), 400, 'invalid_input', '/version');
    assertRefused(await client.call('GET', pathOf('a', '/versions/2')), 404, 'version_not_found');
    assertRefused(await client.call('GET', pathOf('b', '/versions/1')), 404, 'prompt_not_found');
  });
});
