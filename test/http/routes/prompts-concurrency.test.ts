import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PromptBody,
  pathOf,
  readAll,
  type VersionBody,
} from '../../support/prompts.ts';

interface Entry {
  type: string;
  version?: number;
  label?: string;
  from?: unknown;
  to?: unknown;
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describeOnEveryEngine('Prompts under concurrent writers', (service) => {
  it('POST …/versions: 24 at once get 24 consecutive numbers', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'first' });
    const saved = await Promise.all(
      times(24).map((index) => client.save('a', { template: `text ${index}`, labels: index % 3 ? [] : ['canary'] })),
    );
    assert.deepEqual(
      saved.map(({ version }) => version).sort((a, b) => a - b),
      times(24).map((index) => index + 2),
    );
    for (const { version, template } of saved) {
      assert.equal(
        (await client.get<VersionBody>(pathOf('a', `/versions/${version}`))).template,
        template,
        'each number leads to its own text',
      );
    }
    const { data } = await client.get<ListBody<Entry>>(pathOf('a', '/history?limit=100'));
    assert.deepEqual(
      data.filter(({ type }) => type === 'version_saved').map(({ version }) => version),
      times(24).map((index) => 25 - index),
    );
  });

  it('POST /api/prompts: of 12 at once with one name, one gets 201 and the others 409', async () => {
    const client = await newClient(service());
    const responses = await Promise.all(
      times(12).map((index) => client.call('POST', '/api/prompts', { name: 'a', template: `${index}`, tags: ['t'] })),
    );
    const statuses = responses.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...times(11).map(() => 409)]);
    const winner = responses.find(({ status }) => status === 201)?.body as PromptBody;
    assert.equal((await client.get<VersionBody>(pathOf('a'))).template, winner.version?.template);
    assert.equal((await client.get<ListBody>('/api/prompts')).data.length, 1);
  });

  it('POST …/versions: of 12 at once with the same baseVersion, one gets 201 and the others 409', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'first' });
    const responses = await Promise.all(
      times(12).map((index) => client.call('POST', pathOf('a', '/versions'), { template: `${index}`, baseVersion: 1 })),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...times(11).map(() => 409)]);
    const winner = responses.find(({ status }) => status === 201)?.body as VersionBody;
    const versions = await client.get<ListBody<VersionBody>>(pathOf('a', '/versions'));
    assert.deepEqual(
      versions.data.map(({ version, template }) => [version, template]),
      [
        [2, winner.template],
        [1, 'first'],
      ],
    );
  });

  it('PUT …/labels: the result of concurrent moves matches the history, in which each move starts where the previous one ended', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: '1' });
    for (let number = 2; number <= 6; number += 1) await client.save('a', { template: String(number) });
    const moves = times(30).map((index) =>
      index % 10 === 9
        ? client.call('DELETE', pathOf('a', '/labels/production'))
        : client.call('PUT', pathOf('a', '/labels/production'), { version: 1 + ((index * 7) % 6) }),
    );
    for (const { status, text } of await Promise.all(moves)) assert.ok([200, 204, 404].includes(status), text);
    const events = (await client.get<ListBody<Entry>>(pathOf('a', '/history?limit=100'))).data
      .filter(({ label }) => label === 'production')
      .reverse();
    assert.ok(events.length > 1, `${events.length} moves`);
    let at: unknown = null;
    for (const { from, to } of events) {
      assert.equal(from, at);
      at = to ?? null;
    }
    const { data } = await client.get<ListBody>('/api/prompts');
    assert.equal(data[0]?.labels.production ?? null, at);
  });

  it('DELETE, restore, rename and create at once leave one prompt per name', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'x' });
    const actions = times(40).map((index) => {
      if (index % 4 === 0) return client.call('DELETE', pathOf('a'));
      if (index % 4 === 1) return client.call('POST', pathOf('a', '/restore'));
      if (index % 4 === 2) return client.call('POST', '/api/prompts', { name: 'a', template: `${index}` });
      return client.call('PATCH', pathOf(index % 8 === 3 ? 'a' : 'b'), { name: index % 8 === 3 ? 'b' : 'a' });
    });
    for (const { status, text } of await Promise.all(actions)) assert.ok([200, 201, 204, 404, 409].includes(status), text);
    const living = await readAll<PromptBody>(client, '/api/prompts');
    assert.equal(new Set(living.map(({ name }) => name)).size, living.length);
    const binned = await readAll<PromptBody>(client, '/api/prompts?deleted=true');
    const ids = [...living, ...binned].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { name } of living) assert.equal((await client.get<VersionBody>(pathOf(name))).name, name);
  });
});
