import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sqlite } from '../../support/engines.ts';
import {
  assertRefused,
  type Client,
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PromptBody,
  pathOf,
  type VersionBody,
} from '../../support/prompts.ts';
import { startService } from '../../support/service.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

interface Saved {
  name: string;
  version: number;
  status: string;
}

const send = (client: Client, items: unknown, rest: object = {}) => client.call('POST', '/api/prompts/batch', { items, ...rest });
async function save(client: Client, items: unknown, rest: object = {}): Promise<Saved[]> {
  const response = await send(client, items, rest);
  assert.equal(response.status, 200, response.text);
  return (response.body as { data: Saved[] }).data;
}
const listNames = async (client: Client) => (await client.get<ListBody>('/api/prompts')).data.map(({ name }) => name);
const historyOf = async (client: Client, name: string) =>
  (await client.get<ListBody<{ type: string }>>(pathOf(name, '/history'))).data.map(({ type }) => type);
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describeOnEveryEngine('POST /api/prompts/batch', (service) => {
  it('200: creates prompts and saves versions, with the same history and labels as one by one', async () => {
    const client = await newClient(service());
    await client.create({ name: 'old', template: 'one', tags: ['a'], description: 'kept' });
    const saved = await save(client, [
      { name: 'new/text', template: '{{ x }}', description: 'd', tags: ['t'], message: 'first' },
      { name: 'new/chat', messages: [{ role: 'user', content: 'Hi' }, { placeholder: 'history' }], labels: [], config: { model: 'm' } },
      { name: 'old', template: 'two', labels: ['staging'], baseVersion: 1 },
    ]);
    assert.deepEqual(saved, [
      { name: 'new/text', version: 1, status: 'created' },
      { name: 'new/chat', version: 1, status: 'created' },
      { name: 'old', version: 2, status: 'updated' },
    ]);
    const { data } = await client.get<ListBody>('/api/prompts?include=content&label=latest');
    const byName = new Map(data.map((prompt): [string, PromptBody] => [prompt.name, prompt]));
    assert.deepEqual(byName.get('new/text')?.labels, { production: 1 });
    assert.deepEqual(byName.get('new/text')?.version?.variables, [{ name: 'x', required: true, kind: 'text' }]);
    assert.deepEqual(byName.get('new/chat')?.labels, {});
    assert.deepEqual(byName.get('new/chat')?.version?.config, { model: 'm' });
    const old = byName.get('old');
    assert.deepEqual([old?.labels, old?.tags, old?.description], [{ production: 1, staging: 2 }, ['a'], 'kept']);
    assert.deepEqual(await historyOf(client, 'new/text'), ['label_moved', 'created']);
    assert.deepEqual(await historyOf(client, 'old'), ['label_moved', 'version_saved', 'label_moved', 'created']);
  });

  it('200: many items of every kind at once are saved as if one by one', async () => {
    const [together, alone] = await Promise.all([newClient(service()), newClient(service())]);
    const first = times(30).map((index) => ({ name: `p${index}`, template: `${index}`, tags: ['old', `t${index}`] }));
    const next = times(50).map((index) => ({
      name: `p${index}`,
      template: index % 3 === 0 ? `${index}` : `new ${index} {% render "p${index - 1}" %}`,
      labels: index % 2 === 0 ? ['staging', 'production'] : [],
      ...(index % 4 === 0 && { description: `d${index}`, tags: ['new'] }),
    }));
    for (const client of [together, alone]) {
      await save(client, first);
      // The number of a deleted version is never used again.
      await client.save('p1', { template: 'deleted' });
      assert.equal((await client.call('DELETE', pathOf('p1', '/versions/2'))).status, 204);
    }
    const saved = await save(together, next, { skipUnchanged: true });
    for (const [index, item] of next.entries()) {
      assert.deepEqual((await save(alone, [item], { skipUnchanged: true }))[0], saved[index]);
    }
    assert.deepEqual([...new Set(saved.map(({ status }) => status))].sort(), ['changed', 'created', 'unchanged', 'updated']);
    assert.equal(saved[1]?.version, 3);
    const withoutIds = ({ data }: ListBody) =>
      data.map(({ name, type, description, tags, labels, latestVersion, version }) => {
        const content = version && { template: version.template, variables: version.variables, labels: version.labels };
        return { name, type, description, tags, labels, latestVersion, content };
      });
    const list = '/api/prompts?include=content&label=latest&limit=100';
    assert.deepEqual(withoutIds(await together.get<ListBody>(list)), withoutIds(await alone.get<ListBody>(list)));
    for (const { name } of next) assert.deepEqual(await historyOf(together, name), await historyOf(alone, name), name);
  });

  it('one item that cannot be saved: nothing is, and the error names the first by its index', async () => {
    const client = await newClient(service());
    await client.create({ name: 'text', template: 'x' });
    const good = { name: 'good', template: 'x' };
    const before = await client.get('/api/prompts?include=content');
    const refused: [unknown, number, string, string][] = [
      [{ name: 'a', template: '{% if %}' }, 400, 'invalid_template', '/items/1/template'],
      [{ name: 'a/../b', template: 'x' }, 400, 'invalid_input', '/items/1/name'],
      [{ name: 'good', template: 'x' }, 400, 'invalid_input', '/items/1/name'],
      [{ name: 'a', template: 'x', labels: ['latest'] }, 400, 'invalid_input', '/items/1/labels'],
      [{ name: 'a', template: 'nul \0' }, 400, 'invalid_input', '/items/1/template'],
      [{ name: 'a' }, 400, 'invalid_input', '/items/1/template'],
      [{ name: 'a', template: 'x', other: 1 }, 400, 'invalid_input', '/items/1/other'],
      [{ name: 'text', messages: [{ role: 'user', content: 'x' }] }, 400, 'invalid_input', '/items/1/messages'],
      [{ name: 'text', template: 'x', type: 'chat' }, 400, 'invalid_input', '/items/1/type'],
      [{ name: 'text', template: 'y', baseVersion: 7 }, 409, 'version_conflict', '/items/1'],
      [{ name: 'text', template: 'y', baseVersion: 0 }, 409, 'name_taken', '/items/1'],
      [{ name: 'none', template: 'y', baseVersion: 1 }, 404, 'prompt_not_found', '/items/1'],
    ];
    for (const [item, status, code, path] of refused) {
      const later = status === 400 ? [{ name: 'z', template: '{{' }] : [];
      assertRefused(await send(client, [good, item, ...later]), status, code, path);
    }
    assert.deepEqual(await client.get('/api/prompts?include=content'), before);
  });

  it('400: no items, 51 items, 201 labels, and what is not a list', async () => {
    const client = await newClient(service());
    const many = times(51).map((index) => ({ name: `p${index}`, template: 'x' }));
    for (const items of [[], many, {}, null, 'x']) assertRefused(await send(client, items), 400, 'invalid_input', '/items');
    assert.match(JSON.stringify((await send(client, many)).body), /50/);
    assertRefused(await client.call('POST', '/api/prompts/batch', {}), 400, 'invalid_input', '/items');
    const labels = ['a', 'b', 'c', 'd'];
    const labeled = times(50).map((index) => ({ name: `p${index}`, template: 'x', labels: index === 0 ? [...labels, 'e'] : labels }));
    assertRefused(await send(client, labeled), 400, 'invalid_input', '/items');
    assert.deepEqual(await listNames(client), []);
    assert.equal((await save(client, many.slice(1))).length, 50);
  });

  it('skipUnchanged: creates a version only if content or config differ, and changes description, tags and labels without a new version', async () => {
    const client = await newClient(service());
    const item = { name: 'a', template: 'x', config: { b: 1, a: { d: 1, c: 2 } }, description: 'd', tags: ['t'] };
    await save(client, [item]);
    const again = async (change: object) => (await save(client, [{ ...item, ...change }], { skipUnchanged: true }))[0];
    assert.deepEqual(await again({}), { name: 'a', version: 1, status: 'unchanged' });
    assert.deepEqual(await again({ config: { a: { c: 2, d: 1 }, b: 1 } }), { name: 'a', version: 1, status: 'unchanged' });
    assert.deepEqual(await again({ baseVersion: 0 }), { name: 'a', version: 1, status: 'unchanged' });
    assert.deepEqual(await historyOf(client, 'a'), ['label_moved', 'created']);
    assert.deepEqual(await again({ description: 'e', tags: [] }), { name: 'a', version: 1, status: 'changed' });
    assert.deepEqual(await again({ description: 'e', tags: [], labels: ['staging'] }), { name: 'a', version: 1, status: 'changed' });
    assert.deepEqual(await historyOf(client, 'a'), ['label_moved', 'described', 'label_moved', 'created']);
    assert.deepEqual(await again({ config: {} }), { name: 'a', version: 2, status: 'updated' });
    assert.deepEqual((await save(client, [{ ...item, config: {} }]))[0], { name: 'a', version: 3, status: 'updated' });
    assert.deepEqual(await again({ config: {}, syntax: 'mustache' }), { name: 'a', version: 4, status: 'updated' });
  });

  it('twice at once: equal batches create each version once, different ones conflict', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: 'one' });
    const items = [
      { name: 'a', template: 'two', baseVersion: 1 },
      { name: 'b', template: 'new', baseVersion: 0 },
    ];
    const same = await Promise.all(times(6).map(() => send(client, items, { skipUnchanged: true })));
    assert.deepEqual([...new Set(same.map(({ status }) => status))], [200]);
    const versions = await client.get<ListBody<VersionBody>>(pathOf('a', '/versions'));
    assert.deepEqual(
      versions.data.map(({ version }) => version),
      [2, 1],
    );
    const others = await Promise.all(
      times(6).map((index) =>
        send(
          client,
          [
            { name: `own-${index}`, template: 'x' },
            { name: 'a', template: `${index}`, baseVersion: 2 },
          ],
          { skipUnchanged: true },
        ),
      ),
    );
    assert.deepEqual(others.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
    assert.equal((await listNames(client)).length, 3, 'nothing is left of those that lost');
  });

  it('saves of single versions while batches are prepared: none is lost, and none has the number of another', async () => {
    const client = await newClient(service());
    const items = (run: number) => times(50).map((index) => ({ name: `p${index}`, template: `{{ a${run}_${index} }}`.repeat(20) }));
    await save(client, items(0));
    const versions: (number | undefined)[] = [];
    let isDone = false;
    const saveBatches = async () => {
      for (const run of times(5)) versions.push((await save(client, items(run + 1)))[49]?.version);
    };
    const batches = saveBatches().finally(() => {
      isDone = true;
    });
    while (!isDone) versions.push((await client.save('p49', { template: 'alone' })).version);
    await batches;
    assert.deepEqual(
      versions.sort((a = 0, b = 0) => a - b),
      versions.map((_, index) => index + 2),
    );
  });

  it('403: a protected label, for the whole batch', async () => {
    const owner = await newClient(service());
    await owner.call('PATCH', '/api/workspace', { protectedLabels: ['production'] });
    const editor = await newMember(service(), owner, 'editor');
    const items = [
      { name: 'free', template: 'x', labels: [] },
      { name: 'labeled', template: 'x' },
    ];
    const body = assertRefused(
      await editor.call('POST', '/api/prompts/batch', { items }, inWorkspace(owner)),
      403,
      'forbidden',
      '/items/1',
    );
    assert.match(body.error, /^labeled: The label "production" is protected/);
    assert.deepEqual(await listNames(owner), []);
  });

  it('a prompt may be named batch: every method for prompts works on it', async () => {
    const client = await newClient(service());
    await save(client, [{ name: 'batch', template: 'x' }]);
    assert.equal((await client.get<VersionBody>('/api/prompts/batch')).template, 'x');
    assert.equal((await client.call('PATCH', '/api/prompts/batch', { description: 'x' })).status, 200);
    assert.equal((await client.call('DELETE', '/api/prompts/batch')).status, 204);
    const refused = await client.call('PUT', '/api/prompts/batch', {});
    assert.equal(refused.status, 405);
    assert.deepEqual(refused.headers.get('allow')?.split(', ').sort(), ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST']);
  });

  it('dependents get one event for the whole batch, including its last prompt', async () => {
    const client = await newClient(service());
    const items = times(50).map((index) => ({ name: `shared/${index}`, template: 'x' }));
    await save(client, items);
    await client.create({ name: 'outer', template: "{% render 'shared/48' %}{% render 'shared/49' %}" });
    const count = async () => {
      const events = await service().ctx.store.events.list(client.userId, { after: 0, limit: 1000 });
      return events.filter(({ type }) => type === 'dependency.changed').length;
    };
    const before = await count();
    await save(
      client,
      items.map((item) => ({ ...item, template: 'y', labels: ['production'] })),
    );
    assert.equal((await count()) - before, 1);
  });
});

describe('POST /api/prompts/batch and quotas', () => {
  it('403: a quota that the batch would exceed, and nothing is saved', async (t) => {
    const service = await startService({ engine: sqlite, env: { QUOTA_PROMPTS: '3' } });
    t.after(() => service.close());
    const client = await newClient(service);
    const items = times(4).map((index) => ({ name: `p${index}`, template: 'x' }));
    assertRefused(await send(client, items), 403, 'quota_exceeded', '/items/3');
    assert.deepEqual(await listNames(client), []);
    assert.equal((await save(client, items.slice(1))).length, 3);
  });
});
