import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sweep } from '../../../src/domain/housekeeping.ts';
import { newId } from '../../../src/domain/ids.ts';
import {
  assertRefused,
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PromptBody,
  pathOf,
  type VersionBody,
} from '../../support/prompts.ts';

const dayMs = 24 * 60 * 60 * 1000;

describeOnEveryEngine('PATCH /api/prompts/{name}', (service) => {
  it('200: renames, describes and tags; omitted fields stay', async () => {
    const client = await newClient(service());
    const made = await client.create({ name: 'a', template: 'x', description: 'Old', tags: ['one'] });
    const renamed = (await client.call('PATCH', pathOf('a'), { name: 'folder/b' })).body as PromptBody;
    assert.deepEqual([renamed.id, renamed.name, renamed.description, renamed.tags], [made.id, 'folder/b', 'Old', ['one']]);
    assert.ok(renamed.updatedAt >= made.updatedAt);
    assertRefused(await client.call('GET', pathOf('a')), 404, 'prompt_not_found');
    assert.equal((await client.get<VersionBody>(pathOf('folder/b'))).name, 'folder/b');
    const described = (await client.call('PATCH', pathOf('folder/b'), { description: '', tags: ['two', 'three'] })).body as PromptBody;
    assert.deepEqual([described.description, described.tags], ['', ['three', 'two']]);
    const untagged = (await client.call('PATCH', pathOf('folder/b'), { tags: [] })).body as PromptBody;
    assert.deepEqual(untagged.tags, []);
    const same = await client.call('PATCH', pathOf('folder/b'), { name: 'folder/b' });
    assert.equal(same.status, 200, 'its own name is not taken');
  });

  it('400: nothing to change, wrong types, unknown fields, every limit', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    const wrong: [unknown, string][] = [
      [{}, ''],
      [{ name: '..' }, '/name'],
      [{ name: 'a//b' }, '/name'],
      [{ name: 'n'.repeat(201) }, '/name'],
      [{ name: null }, '/name'],
      [{ description: 'd'.repeat(2001) }, '/description'],
      [{ description: '\0' }, '/description'],
      [{ tags: Array.from({ length: 21 }, String) }, '/tags'],
      [{ tags: ['t'.repeat(51)] }, '/tags/0'],
      [{ tags: ['\ud800'] }, '/tags/0'],
      [{ template: 'y' }, '/template'],
      [{ latestVersion: 5 }, '/latestVersion'],
    ];
    for (const [body, path] of wrong) assertRefused(await client.call('PATCH', pathOf('a'), body), 400, 'invalid_input', path);
  });

  it('404, 409: unknown prompt, taken name', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    await client.create({ name: 'b', template: 'x' });
    assertRefused(await client.call('PATCH', pathOf('c'), { description: 'x' }), 404, 'prompt_not_found');
    assertRefused(await client.call('PATCH', pathOf('a'), { name: 'b', description: 'Lost' }), 409, 'name_taken');
    const { data } = await client.get<ListBody>('/api/prompts');
    assert.deepEqual(
      data.map(({ name, description }) => [name, description]),
      [
        ['a', ''],
        ['b', ''],
      ],
    );
  });
});

describeOnEveryEngine('DELETE /api/prompts/{name}, POST /api/prompts/{name}/restore', (service) => {
  it('204, 200: to the bin and back, with versions, labels, tags and history', async () => {
    const client = await newClient(service());
    const made = await client.create({ name: 'a/b', template: 'one', tags: ['t'] });
    await client.save('a/b', { template: 'two', labels: ['staging'] });
    const gone = await client.call('DELETE', pathOf('a/b'));
    assert.deepEqual([gone.status, gone.text], [204, '']);
    assert.deepEqual((await client.get<ListBody>('/api/prompts')).data, []);
    for (const rest of ['', '/versions', '/versions/1', '/history', '/diff?from=1&to=2']) {
      assertRefused(await client.call('GET', pathOf('a/b', rest)), 404, 'prompt_not_found');
    }
    assertRefused(await client.call('DELETE', pathOf('a/b')), 404, 'prompt_not_found');
    const bin = await client.get<ListBody>('/api/prompts?deleted=true');
    assert.deepEqual([bin.data[0]?.name, bin.data[0]?.labels], ['a/b', { production: 1, staging: 2 }]);
    assert.equal(typeof bin.data[0]?.deletedAt, 'string');
    assert.deepEqual(bin.data[0]?.deletedBy, { userId: client.userId, name: 'Test', via: 'api' });
    const restored = (await client.call('POST', pathOf('a/b', '/restore'))).body as PromptBody;
    assert.deepEqual([restored.id, restored.labels, restored.tags], [made.id, { production: 1, staging: 2 }, ['t']]);
    assert.equal((await client.get<VersionBody>(pathOf('a/b', '?label=staging'))).template, 'two');
    assert.deepEqual((await client.get<ListBody>('/api/prompts?deleted=true')).data, []);
  });

  it('404: no prompt of that name in the bin', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    for (const name of ['a', 'b', 'a\0', '\ud83d\ude00', 'n'.repeat(201), "a'--"]) {
      assertRefused(await client.call('POST', pathOf(name, '/restore')), 404, 'prompt_not_found');
    }
  });

  it('409: the name was taken in the meantime; once it is free, the prompt that was deleted last is restored', async () => {
    const client = await newClient(service());
    const first = await client.create({ name: 'a', template: 'first' });
    await client.call('DELETE', pathOf('a'));
    const second = await client.create({ name: 'a', template: 'second' });
    assert.notEqual(second.id, first.id);
    assert.equal(
      (await client.get<{ data: unknown[] }>(pathOf('a', '/versions'))).data.length,
      1,
      'a new prompt, with none of the old versions',
    );
    assertRefused(await client.call('POST', pathOf('a', '/restore')), 409, 'name_taken');
    await client.call('DELETE', pathOf('a'));
    const bin = await client.get<ListBody>('/api/prompts?deleted=true');
    assert.deepEqual(
      bin.data.map(({ id }) => id),
      [second.id, first.id],
      'last deleted first',
    );
    assert.equal(((await client.call('POST', pathOf('a', '/restore'))).body as PromptBody).id, second.id);
    await client.call('PATCH', pathOf('a'), { name: 'b' });
    assert.equal(((await client.call('POST', pathOf('a', '/restore'))).body as PromptBody).id, first.id);
  });

  it('the bin is emptied after 30 days, with everything that belonged to the prompt, and not earlier', async () => {
    const client = await newClient(service());
    const { store } = service().ctx;
    // A prompt that has just expired can no longer be restored and is not listed, but `emptyBins` removes it only slightly later.
    const names = { old: 31, expired: 30.01, young: 29 };
    const ids = new Map<string, string>();
    for (const [name, days] of Object.entries(names)) {
      const { id } = await client.create({ name, template: 'x', tags: ['t'] });
      ids.set(name, id);
      await client.call('DELETE', pathOf(name));
      const deletedAt = new Date(Date.now() - days * dayMs).toISOString();
      await store.changePrompts(client.userId, ({ prompts }) => prompts.update(client.userId, id, { deletedAt, updatedAt: deletedAt }));
    }
    const before = await client.call('GET', '/api/prompts?deleted=true');
    await sweep(service().ctx);
    const tag = before.headers.get('etag') ?? '';
    const after = await client.call('GET', '/api/prompts?deleted=true', undefined, { headers: { 'if-none-match': tag } });
    assert.deepEqual([after.status, (after.body as ListBody).data.map(({ name }) => name)], [200, ['young']]);
    assertRefused(await client.call('POST', pathOf('expired', '/restore')), 404, 'prompt_not_found');
    assertRefused(await client.call('POST', pathOf('old', '/restore')), 404, 'prompt_not_found');
    const left = async (name: string) => {
      const id = ids.get(name) ?? newId('p');
      return [
        (await store.versions.listSizes(client.userId, id, { limit: 9 })).length,
        (await store.labels.list(client.userId, id)).size,
        (await store.history.list(client.userId, id, { limit: 9 })).length,
      ];
    };
    assert.deepEqual(
      [await left('old'), await left('expired'), await left('young')],
      [
        [0, 0, 0],
        [1, 1, 3],
        [1, 1, 3],
      ],
    );
  });
});
