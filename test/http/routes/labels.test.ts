import assert from 'node:assert/strict';
import { it } from 'node:test';
import { call, register, signIn } from '../../support/client.ts';
import {
  assertRefused,
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PersonBody,
  pathOf,
  readAll,
  type VersionBody,
} from '../../support/prompts.ts';

interface Entry {
  type: string;
  by: PersonBody;
  at: string;
  id: string;
}

describeOnEveryEngine('PUT, DELETE /api/prompts/{name}/labels/{label}', (service) => {
  it('200: deploys, rolls back and removes the label from other versions', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'one' });
    await client.save('a', { template: 'two' });
    const deployed = (await client.label('a', 'production', 2)).body as VersionBody;
    assert.deepEqual([deployed.version, deployed.labels, deployed.template], [2, ['production'], 'two']);
    assert.equal((await client.get<VersionBody>(pathOf('a'))).version, 2);
    const back = (await client.label('a', 'production', 1)).body as VersionBody;
    assert.deepEqual([back.version, back.labels], [1, ['production']]);
    assert.deepEqual((await client.get<VersionBody>(pathOf('a', '/versions/2'))).labels, []);
  });

  it('200: lists labels by name, whichever moved last', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'one' });
    const saved = await client.save('a', { template: 'two', labels: ['zeta', 'alpha'] });
    const moved = (await client.label('a', 'beta', 2)).body as VersionBody;
    const read = await client.get<VersionBody>(pathOf('a', '?version=2'));
    assert.deepEqual(saved.labels, ['alpha', 'zeta']);
    assert.deepEqual(
      [moved.labels, read.labels],
      [
        ['alpha', 'beta', 'zeta'],
        ['alpha', 'beta', 'zeta'],
      ],
    );
  });

  it('200: the response to a move shows the move, even if the prompt is deleted right after it', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'one' });
    const { changes } = service().ctx;
    const { run } = changes;
    changes.run = async (workspaceId, change) => {
      changes.run = run;
      const result = await run(workspaceId, change);
      assert.equal((await client.call('DELETE', pathOf('a'))).status, 204);
      return result;
    };
    const moved = (await client.label('a', 'staging', 1)).body as VersionBody;
    assert.deepEqual([moved.version, moved.labels], [1, ['production', 'staging']]);
  });

  it('204: removes a label, and only once', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    const removed = await client.call('DELETE', pathOf('a', '/labels/production'));
    assert.deepEqual([removed.status, removed.text], [204, '']);
    assertRefused(await client.call('DELETE', pathOf('a', '/labels/production')), 404, 'label_not_found');
    assertRefused(await client.call('GET', pathOf('a')), 404, 'label_not_found');
  });

  it('400: latest, invalid labels, invalid versions, a 21st label', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    const put = (label: string, body: unknown) => client.call('PUT', pathOf('a', `/labels/${label}`), body);
    assertRefused(await put('latest', { version: 1 }), 400, 'invalid_input', '/label');
    assertRefused(await client.call('DELETE', pathOf('a', '/labels/latest')), 404, 'label_not_found');
    for (const label of ['Production', '-a', 'a-', 'a%20b', 'l'.repeat(51), '%00', '%F0%9F%98%80']) {
      assertRefused(await put(label, { version: 1 }), 400, 'invalid_input', '/label');
    }
    for (const version of [0, -1, 1.5, '1', null, 2 ** 31, 1e300, true]) {
      assertRefused(await put('staging', { version }), 400, 'invalid_input', '/version');
    }
    assertRefused(await put('staging', {}), 400, 'invalid_input', '/version');
    assertRefused(await put('staging', { version: 1, force: true }), 400, 'invalid_input', '/force');
    for (let count = 1; count < 20; count += 1) await client.label('a', `l${count}`, 1);
    assertRefused(await put('one-too-many', { version: 1 }), 400, 'invalid_input');
    await client.save('a', { template: 'y' });
    assert.equal((await put('l1', { version: 2 })).status, 200, 'existing labels can still be moved');
  });

  it('404: unknown version and unknown prompt', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    assertRefused(await client.call('PUT', pathOf('a', '/labels/staging'), { version: 2 }), 404, 'version_not_found');
    assertRefused(await client.call('PUT', pathOf('b', '/labels/staging'), { version: 1 }), 404, 'prompt_not_found');
    assertRefused(await client.call('DELETE', pathOf('a', '/labels/staging')), 404, 'label_not_found');
  });
});

describeOnEveryEngine('GET /api/prompts/{name}/history', (service) => {
  it('200: who changed what and when, newest first', async () => {
    const account = await register(service());
    const client = await newClient(service(), account);
    const cookie = await signIn(service(), account);
    await client.create({ name: 'a', template: 'one', message: 'Begin' });
    const body = { template: 'two', message: 'Better', labels: ['staging'] };
    const saved = await call(service(), 'POST', pathOf('a', '/versions'), { cookie, body, headers: { origin: service().url } });
    assert.equal(saved.status, 201, saved.text);
    await client.label('a', 'production', 2);
    await client.label('a', 'production', 2);
    await client.call('DELETE', pathOf('a', '/labels/staging'));
    await client.call('PATCH', pathOf('a'), { name: 'b', description: 'New' });
    await client.call('DELETE', pathOf('b'));
    await client.call('POST', pathOf('b', '/restore'));
    const { data } = await client.get<ListBody<Entry>>(pathOf('b', '/history'));
    const { name } = await client.get<{ name: string }>('/api/account');
    assert.ok(data.every(({ by }) => by.userId === account.userId && by.name === name));
    assert.deepEqual(
      data.map(({ id: _id, at: _at, by, ...entry }) => ({ ...entry, via: by.via })),
      [
        { type: 'restored', via: 'api' },
        { type: 'deleted', via: 'api' },
        { type: 'described', via: 'api' },
        { type: 'renamed', via: 'api', from: 'a', to: 'b' },
        { type: 'label_removed', via: 'api', label: 'staging', from: 2 },
        { type: 'label_moved', via: 'api', label: 'production', from: 1, to: 2 },
        { type: 'label_moved', via: 'dashboard', label: 'staging', from: null, to: 2 },
        { type: 'version_saved', via: 'dashboard', version: 2, message: 'Better' },
        { type: 'label_moved', via: 'api', label: 'production', from: null, to: 1 },
        { type: 'created', via: 'api', version: 1, message: 'Begin' },
      ],
      'a move to the version it is at already is no event',
    );
    assert.ok(data.every(({ at }) => new Date(at).toISOString() === at));
  });

  it('200: pages are complete and without repetition during concurrent writes', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x', labels: [] });
    await client.save('a', { template: 'y' });
    for (let count = 0; count < 20; count += 1) await client.label('a', 'canary', 1 + (count % 2));
    const all = await client.get<ListBody<Entry>>(pathOf('a', '/history?limit=100'));
    assert.equal(all.data.length, 22);
    const paged = await readAll<Entry>(client, pathOf('a', '/history?limit=3'), async () => {
      await client.save('a', { template: 'meanwhile' });
    });
    assert.deepEqual(paged, all.data);
  });
});

describeOnEveryEngine('GET /api/prompts/{name}/diff', (service) => {
  it('200: unified diffs of text and config; empty where nothing differs', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'Hello\nworld\n', config: { b: 1, a: { d: 1, c: 2 } } });
    await client.save('a', { template: 'Hello\n{{ name }}\n', config: { a: { c: 2, d: 1 }, b: 1 } });
    await client.save('a', { template: 'Hello\n{{ name }}\n', config: { a: { c: 3, d: 1 }, b: 1 } });
    const text = '--- version 1\n+++ version 2\n@@ -1,2 +1,2 @@\n Hello\n-world\n+{{ name }}\n';
    assert.deepEqual(
      await client.get(pathOf('a', '/diff?from=1&to=2')),
      { from: 1, to: 2, text, config: '' },
      'the order of keys is no change',
    );
    const config = await client.get<{ text: string; config: string }>(pathOf('a', '/diff?from=2&to=3'));
    assert.equal(config.text, '');
    assert.match(config.config, /^-\s+"c": 2,$/m);
    assert.match(config.config, /^\+\s+"c": 3,$/m);
    const back = await client.get<{ text: string }>(pathOf('a', '/diff?from=2&to=1'));
    assert.match(back.text, /^\+world$/m);
    assert.deepEqual(await client.get(pathOf('a', '/diff?from=1&to=1')), { from: 1, to: 1, text: '', config: '' });
  });

  it('200: chat prompts message by message, with placeholders', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', messages: [{ role: 'system', content: 'Be kind' }, { placeholder: 'history' }] });
    await client.save('a', { messages: [{ role: 'system', content: 'Be brief' }, { placeholder: 'turns' }] });
    const { text } = await client.get<{ text: string }>(pathOf('a', '/diff?from=1&to=2'));
    for (const line of ['-Be kind', '+Be brief', '-[placeholder history]', '+[placeholder turns]', ' [system]']) {
      assert.ok(text.split('\n').includes(line), `${line} in\n${text}`);
    }
  });

  it('200: two large texts that have nothing in common', async () => {
    const client = await newClient(service());
    const lines = (seed: number) => Array.from({ length: 20_000 }, (_, index) => ((index * seed) % 99_991).toString(36)).join('\n');
    await client.create({ name: 'a', template: lines(7919) });
    await client.save('a', { template: lines(6007) });
    const { text } = await client.get<{ text: string }>(pathOf('a', '/diff?from=1&to=2'));
    assert.ok(text.startsWith('--- version 1\n+++ version 2\n'));
  });

  it('400, 404: missing, invalid or unknown versions', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    assertRefused(await client.call('GET', pathOf('a', '/diff')), 400, 'invalid_input', '/from', '/to');
    assertRefused(await client.call('GET', pathOf('a', '/diff?from=0&to=1')), 400, 'invalid_input', '/from');
    assertRefused(await client.call('GET', pathOf('a', '/diff?from=1&to=2147483648')), 400, 'invalid_input', '/to');
    assertRefused(await client.call('GET', pathOf('a', '/diff?from=1&to=2')), 404, 'version_not_found');
    assertRefused(await client.call('GET', pathOf('a', '/diff?from=2&to=1')), 404, 'version_not_found');
    assertRefused(await client.call('GET', pathOf('b', '/diff?from=1&to=1')), 404, 'prompt_not_found');
  });
});
