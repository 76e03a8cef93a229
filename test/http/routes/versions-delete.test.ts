import assert from 'node:assert/strict';
import { it } from 'node:test';
import { workspaceHeader } from '../../../src/contract/permissions.ts';
import { newMember } from '../../support/members.ts';
import {
  assertRefused,
  type Client,
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PromptBody,
  pathOf,
  readAll,
  type VersionBody,
} from '../../support/prompts.ts';
import { importText, toLines } from '../../support/transfer.ts';

interface HistoryItem {
  type: string;
  version?: number;
  label?: string;
  from?: number;
}

const remove = (client: Client, name: string, version: number | string) => client.call('DELETE', pathOf(name, `/versions/${version}`));

describeOnEveryEngine('DELETE /api/prompts/{name}/versions/{version}', (service) => {
  /** Creates a prompt with the versions one, two and three. Version two is in production. */
  async function create(client: Client, name = 'a'): Promise<void> {
    await client.create({ name, template: 'one', labels: [] });
    await client.save(name, { template: 'two', labels: ['production', 'old'], message: 'Second' });
    await client.save(name, { template: 'three' });
  }

  it('204: the version is gone, its labels are removed, its number is never used again', async () => {
    const client = await newClient(service());
    await create(client);
    await client.render('a', {});
    assert.equal((await remove(client, 'a', 2)).status, 204);
    for (const query of ['', '?label=old', '?version=2']) {
      assertRefused(await client.call('GET', pathOf('a', query)), 404, query === '?version=2' ? 'version_not_found' : 'label_not_found');
    }
    assertRefused(await client.call('GET', pathOf('a', '/versions/2')), 404, 'version_not_found');
    assertRefused(await client.call('GET', pathOf('a', '/diff?from=1&to=2')), 404, 'version_not_found');
    assertRefused(await client.call('PUT', pathOf('a', '/labels/x'), { version: 2 }), 404, 'version_not_found');
    assertRefused(await client.render('a', { version: 2 }), 404, 'version_not_found');
    const { data } = await client.get<ListBody<VersionBody>>(pathOf('a', '/versions'));
    assert.deepEqual(
      data.map(({ version }) => version),
      [3, 1],
    );
    const [prompt] = (await client.get<ListBody>('/api/prompts')).data;
    assert.deepEqual([prompt?.latestVersion, prompt?.labels, prompt?.deletedVersions], [3, {}, [2]]);

    assert.equal((await remove(client, 'a', 3)).status, 204);
    assert.equal((await client.get<VersionBody>(pathOf('a', '?label=latest'))).template, 'one');
    assert.equal((await client.save('a', { template: 'four', baseVersion: 1 })).version, 4);
    assertRefused(await client.call('POST', pathOf('a', '/versions'), { template: 'x', baseVersion: 3 }), 409, 'version_conflict');
    assertRefused(await remove(client, 'a', 2), 404, 'version_not_found');
    const pages = await client.get<ListBody<VersionBody>>(pathOf('a', '/versions?limit=1'));
    assert.deepEqual([pages.data[0]?.version, typeof pages.nextCursor], [4, 'string']);
  });

  it('204: the history and the events contain the deletion, and statistics are kept', async () => {
    const client = await newClient(service());
    await create(client);
    await client.get(pathOf('a'));
    await remove(client, 'a', 2);
    const { data } = await client.get<ListBody<HistoryItem>>(pathOf('a', '/history'));
    assert.deepEqual(
      data.slice(0, 3).map(({ type, version, label, from }) => [type, version ?? label, from]),
      [
        ['version_deleted', 2, undefined],
        ['label_removed', 'production', 2],
        ['label_removed', 'old', 2],
      ],
    );
    assert.ok(data.some(({ type, version }) => type === 'version_saved' && version === 2));
    const events = await service().ctx.store.events.list(client.userId, { after: 0, limit: 100 });
    assert.deepEqual(
      events.slice(-3).map(({ type }) => type),
      ['label.removed', 'label.removed', 'version.deleted'],
    );
    await service().ctx.recorder.flush();
    const { byPrompt } = await client.get<{ byPrompt: { calls: number; versions: { version: number }[] }[] }>('/api/stats');
    assert.deepEqual([byPrompt[0]?.calls, byPrompt[0]?.versions.map(({ version }) => version)], [1, [2]]);
  });

  it('200, 204: very many deleted versions between others', async () => {
    const client = await newClient(service());
    const time = '2026-01-02T03:04:05.678Z';
    const fields = { kind: 'version', syntax: 'liquid', createdAt: time, by: { name: 'Ada' } };
    const live = [1, 2, 1300, 1301].map((version) => ({ ...fields, version, template: String(version), config: {}, message: '' }));
    const deleted = Array.from({ length: 1297 }, (_, index) => ({ ...fields, version: index + 3, deletedAt: time }));
    const id = 'e_mhz1k3p0_0000';
    const prompt = { kind: 'prompt', name: 'a', type: 'text', description: '', tags: [], labels: {}, lastVersion: 1301, lastEvent: id };
    const event = { kind: 'event', id, type: 'created', at: time, by: { name: 'Ada', via: 'api' }, detail: { version: 1, message: '' } };
    const results = await importText(client, toLines({ ...prompt, createdAt: time, updatedAt: time }, ...live, ...deleted, event));
    assert.deepEqual(results, [{ name: 'a', status: 'created' }]);

    const listed = await readAll<VersionBody>(client, pathOf('a', '/versions?limit=3'));
    assert.deepEqual(
      listed.map(({ version }) => version),
      [1301, 1300, 2, 1],
    );
    const findLatest = async () => (await client.get<VersionBody>(pathOf('a', '?label=latest'))).version;
    assert.equal((await remove(client, 'a', 1301)).status, 204);
    assert.equal(await findLatest(), 1300);
    // The result does not depend on which deletion comes first.
    const both = await Promise.all([remove(client, 'a', 1300), remove(client, 'a', 2)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [204, 204],
    );
    assert.equal(await findLatest(), 1);
    assertRefused(await remove(client, 'a', 1), 409, 'last_version');
  });

  it('204: many at once, of one prompt', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: '1' });
    for (let version = 2; version <= 12; version += 1) await client.save('a', { template: String(version) });
    const removed = await Promise.all(Array.from({ length: 11 }, (_, index) => remove(client, 'a', index + 2)));
    assert.deepEqual(
      removed.map(({ status }) => status),
      removed.map(() => 204),
    );
    assert.equal((await client.get<VersionBody>(pathOf('a', '?label=latest'))).version, 1);
    assertRefused(await remove(client, 'a', 1), 409, 'last_version');
  });

  it('204: prompts that include it at latest get the previous version and an event', async () => {
    const client = await newClient(service());
    await create(client);
    await client.create({ name: 'b', template: "{% render 'a', label: 'latest' %}" });
    assert.equal((await remove(client, 'a', 3)).status, 204);
    const events = await service().ctx.store.events.list(client.userId, { after: 0, limit: 100 });
    assert.deepEqual([events.at(-1)?.type, events.at(-1)?.prompt?.name], ['dependency.changed', 'b']);
    assert.equal(((await client.render('b', {})).body as { text: string }).text, 'two');
  });

  it('409: while another prompt includes it at a label that points at it', async () => {
    const client = await newClient(service());
    await create(client);
    await client.create({ name: 'b', template: "{% render 'a' %}" });
    const { error } = assertRefused(await remove(client, 'a', 2), 409, 'version_included');
    assert.match(error, /"b" includes this prompt at the label "production"/);
    assert.equal((await client.get<VersionBody>(pathOf('a'))).version, 2, 'nothing has changed');
    await client.save('b', { template: 'x', labels: ['production'] });
    assert.equal((await remove(client, 'a', 2)).status, 204, 'only versions in use count');
  });

  it('409: the only version of a prompt', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    assertRefused(await remove(client, 'a', 1), 409, 'last_version');
    await client.save('a', { template: 'y' });
    const statuses = (await Promise.all([remove(client, 'a', 1), remove(client, 'a', 2)])).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [204, 409], 'two at once leave one');
  });

  it('400, 403, 404: a version that does not exist, belongs to others, or may not be deleted', async () => {
    const [client, other] = [await newClient(service()), await newClient(service())];
    await create(client);
    for (const version of ['0', 'x', '-1', '99999999999'])
      assertRefused(await remove(client, 'a', version), 400, 'invalid_input', '/version');
    assertRefused(await remove(client, 'a', 9), 404, 'version_not_found');
    assertRefused(await remove(other, 'a', 1), 404, 'prompt_not_found');
    await client.call('PATCH', '/api/workspace', { protectedLabels: ['production'] });
    const headers = { [workspaceHeader]: client.userId };
    const [viewer, editor] = [await newMember(client, 'viewer'), await newMember(client, 'editor')];
    assertRefused(await viewer.call('DELETE', pathOf('a', '/versions/1'), undefined, { headers }), 403, 'forbidden');
    assertRefused(await editor.call('DELETE', pathOf('a', '/versions/2'), undefined, { headers }), 403, 'forbidden');
    assert.equal((await editor.call('DELETE', pathOf('a', '/versions/1'), undefined, { headers })).status, 204);
    const [prompt] = (await client.get<{ data: PromptBody[] }>('/api/prompts')).data;
    assert.deepEqual([prompt?.deletedVersions, prompt?.labels], [[1], { old: 2, production: 2 }]);
  });

  it('204: the bin keeps the remaining versions, and restores them', async () => {
    const client = await newClient(service());
    await create(client);
    await remove(client, 'a', 2);
    await client.call('DELETE', pathOf('a'));
    assert.equal((await client.call('POST', pathOf('a', '/restore'))).status, 200);
    assert.deepEqual((await client.get<ListBody>('/api/prompts')).data[0]?.deletedVersions, [2]);
    assertRefused(await client.call('GET', pathOf('a', '/versions/2')), 404, 'version_not_found');
  });
});
