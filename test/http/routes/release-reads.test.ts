import assert from 'node:assert/strict';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { it } from 'node:test';
import { assign } from '../../../src/contract/release-assignment.ts';
import type { SavedRelease } from '../../../src/contract/releases.ts';
import { sweep } from '../../../src/domain/housekeeping.ts';
import { isCampaign } from '../../support/campaign.ts';
import { call } from '../../support/client.ts';
import { assertRefused, type Client, describeOnEveryEngine, newClient, pathOf } from '../../support/prompts.ts';
import { randomKeys } from '../../support/random-keys.ts';
import type { Service } from '../../support/service.ts';
import { readStoredContent } from '../../support/stored-content.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Creates a prompt with two versions, the first of which is labeled. */
async function newPrompt(service: Service) {
  const client = await newClient(service);
  await client.create({ name: 'a', template: 'one {{ x }}' });
  await client.save('a', { template: 'two {{ x }}' });
  return client;
}

const start = async (client: Client, body: object) =>
  (await client.call('PUT', pathOf('a', '/labels/production/release'), body)).body as SavedRelease;

const read = (client: Client, query = '') => client.get(pathOf('a', query));

async function readsOf({ service, userId: accountId }: Client, { id: releaseId }: SavedRelease): Promise<[number, string, number][]> {
  await service.ctx.recorder.flush();
  const reads = await service.ctx.store.statistics.readReleaseReads({ accountId, releaseId });
  return reads.map(({ version, reason, calls }) => [version, reason, calls]);
}

const keysOf = async (client: Client, name = 'a') => (await client.get<{ keys: number; days: number }>(pathOf(name, '/keys'))).keys;

async function storedKeys({ service, userId: accountId }: Client): Promise<string[]> {
  const { id: promptId } = (await service.ctx.store.prompts.find(accountId, 'a')) ?? assert.fail('the prompt exists');
  return (await service.ctx.store.statistics.readKeys({ accountId, promptId }, '2000-01-01')).map(({ hashes, size }) =>
    [...hashes.subarray(0, size)].join(' '),
  );
}

describeOnEveryEngine('the decisions of a release', (service) => {
  it('equal the results of assign for random keys over HTTP, each read and rendered, and all are counted', async () => {
    const client = await newPrompt(service());
    const release = await start(client, { control: 1, arms: [{ version: 2, weight: 2500 }] });
    const expected = { 1: 0, 2: 0 } as Record<number, number>;
    const decide = async (key: string) => {
      const { version } = assign(release, { key });
      expected[version] = (expected[version] ?? 0) + 2;
      const chosen = { version, release: { id: release.id, arm: version === 1 ? 'control' : 'v2', reason: 'SPLIT' } };
      const answers = [
        await client.get(pathOf('a', `?key=${encodeURIComponent(key)}`)),
        (await client.render('a', { variables: { x: '' }, key })).body,
      ];
      for (const answer of answers as (typeof chosen)[])
        assert.deepEqual({ version: answer.version, release: answer.release }, chosen, key);
    };
    const keys = [...randomKeys(isCampaign ? 1000 : 200)];
    const batches = Array.from({ length: keys.length / 20 }, (_, index) => keys.slice(index * 20, (index + 1) * 20));
    for (const batch of batches) await Promise.all(batch.map(decide));
    assert.deepEqual(await readsOf(client, release), [
      [1, 'SPLIT', expected[1]],
      [2, 'SPLIT', expected[2]],
    ]);
  });
});

describeOnEveryEngine('a request target with #', (service) => {
  it('means the same whether or not the response for other callers is cached', async () => {
    const client = await newPrompt(service());
    const release = await start(client, { control: 1, arms: [{ version: 2, weight: 5000 }] });
    const send = (path: string) =>
      new Promise<{ status: number; version: number | undefined }>((resolve, reject) => {
        const headers = { authorization: `Bearer ${client.token}` };
        request(service().url, { path, headers }, (res) => {
          json(res).then((body) => resolve({ status: res.statusCode ?? 0, version: (body as { version?: number }).version }), reject);
        })
          .on('error', reject)
          .end();
      });
    const keys = ['u', 'v', 'w', 'x'];
    for (const key of keys) {
      await read(client, `?key=${key}`);
      const expected = { status: 200, version: assign(release, { key: `${key}#1` }).version };
      for (const _ of [1, 2]) assert.deepEqual(await send(`/api/prompts/a?key=${key}#1`), expected);
      for (const _ of [1, 2]) assert.equal((await send(`/api/prompts/a#b?key=${key}`)).status, 400);
    }
  });
});

describeOnEveryEngine('the reads of a release', (service) => {
  it('are counted by version and reason, in reads and renders, including those from the cache', async () => {
    const client = await newPrompt(service());
    const rules = [{ if: { plan: ['internal'] }, version: 2 }];
    const release = await start(client, { control: 1, arms: [{ version: 2, weight: 0 }], rules });
    for (const _ of [1, 2, 3]) {
      await read(client);
      await read(client, '?key=u');
      await read(client, '?key=u&ctx.plan=internal');
      await client.render('a', { variables: { x: '' } });
      await client.render('a', { variables: { x: '' }, key: 'u' });
      await client.render('a', { key: 'u' });
    }
    assert.deepEqual(await readsOf(client, release), [
      [1, 'NO_KEY', 6],
      [1, 'SPLIT', 9],
      [2, 'RULE', 3],
    ]);
  });

  it('count programs that cannot send a key as such', async () => {
    const client = await newPrompt(service());
    const release = await start(client, { control: 1, arms: [{ version: 2, weight: 10_000 }] });
    for (const _ of [1, 2]) assert.equal((await client.get<{ version: number }>('/api/public/v2/prompts/a')).version, 1);
    assert.deepEqual(await readsOf(client, release), [[1, 'NO_KEY', 2]]);
  });

  it('do not include reads of other labels, versions and releases, or those after the end', async () => {
    const client = await newPrompt(service());
    await read(client, '?key=u');
    const release = await start(client, { control: 1, arms: [{ version: 2, weight: 10_000 }] });
    await client.label('a', 'staging', 1);
    for (const query of ['?key=u&label=staging', '?key=u&label=latest', '?key=u&version=1']) await read(client, query);
    await read(client, '?key=u');
    await client.call('DELETE', pathOf('a', '/labels/production/release'));
    await read(client, '?key=u');
    const next = await start(client, { control: 1, arms: [{ version: 2, weight: 10_000 }] });
    await read(client, '?key=u');
    await read(client, '?key=u');
    assert.deepEqual(await readsOf(client, release), [[2, 'SPLIT', 1]]);
    assert.deepEqual(await readsOf(client, next), [[2, 'SPLIT', 2]]);
  });

  it('are not visible to other workspaces, and are deleted with the account', async () => {
    const client = await newPrompt(service());
    const release = await start(client, { control: 1, arms: [{ version: 2, weight: 10_000 }] });
    await read(client, '?key=u');
    const other = await newClient(service());
    assert.deepEqual(await readsOf(other, release), []);
    assert.deepEqual(await readsOf(client, release), [[2, 'SPLIT', 1]]);
    assert.equal((await storedKeys(client)).length, 1);
    const { userId: accountId, service: running } = client;
    const { id: promptId } = (await running.ctx.store.prompts.find(accountId, 'a')) ?? assert.fail('the prompt exists');
    await running.ctx.store.accounts.delete(accountId);
    await sweep(running.ctx);
    assert.deepEqual(await readsOf(client, release), []);
    assert.deepEqual(await running.ctx.store.statistics.readKeys({ accountId, promptId }, '2000-01-01'), []);
  });
});

describeOnEveryEngine('GET /api/prompts/{name}/keys', (service) => {
  it('counts each key once, over all labels, reads and renders, with and without a release', async () => {
    const client = await newPrompt(service());
    assert.deepEqual(await client.get(pathOf('a', '/keys')), { keys: 0, days: 7 });
    for (const _ of [1, 2]) {
      await read(client);
      await read(client, '?key=one');
      await read(client, '?key=two&label=latest');
      await client.render('a', { variables: { x: '' }, key: 'three' });
      await client.render('a', { key: 'four' });
    }
    assert.equal(await keysOf(client), 4);
    await start(client, { control: 1, arms: [{ version: 2, weight: 5000 }] });
    for (const key of ['one', 'two', 'five', 'Zoë', '😀']) await read(client, `?key=${encodeURIComponent(key)}`);
    assert.equal(await keysOf(client), 7);
  });

  it('is exact for hundreds of keys', async () => {
    const client = await newPrompt(service());
    const readAll = async (from: number, to: number) => {
      for (let index = from; index < to; index += 1) await read(client, `?key=user-${index}`);
    };
    await readAll(0, 300);
    assert.equal(await keysOf(client), 300);
    await readAll(200, 500);
    assert.equal(await keysOf(client), 500);
  });

  it('does not count reads of a version, or keys of other prompts and workspaces', async () => {
    const client = await newPrompt(service());
    await client.create({ name: 'b', template: 'x' });
    await client.get(pathOf('b', '?key=u'));
    await read(client, '?key=u&version=1');
    const other = await newPrompt(service());
    await read(other, '?key=u');
    assert.deepEqual([await keysOf(client), await keysOf(client, 'b'), await keysOf(other)], [0, 1, 1]);
  });

  it('counts keys of reported calls, with and without a release, and keeps no key', async () => {
    const client = await newPrompt(service());
    const report = async (...calls: object[]) => {
      const { body } = await client.call('POST', '/api/results', { calls });
      return body;
    };
    const key = (name: string) => `${name}-${client.userId}`;
    const call = { prompt: 'a', version: 1, durationMs: 10 };
    await read(client, `?key=${key('u')}`);
    const called = [key('u'), key('v'), key('v')].map((each) => ({ ...call, key: each }));
    assert.deepEqual(await report(...called, call), { accepted: 4, dropped: 0 });
    assert.equal(await keysOf(client), 2);
    const { id } = await start(client, { control: 1, arms: [{ version: 2, weight: 5000 }] });
    assert.deepEqual(await report({ ...call, key: key('w'), release: id }, { ...call, key: key('x'), release: 'rel_unknown' }), {
      ...{ accepted: 2, dropped: 0 },
    });
    assert.equal(await keysOf(client), 4);
    const dropped = [
      { ...call, version: 99, key: key('y') },
      { ...call, prompt: 'b', key: key('z') },
    ];
    assert.deepEqual(await report(...dropped), { accepted: 0, dropped: 2 });
    assert.equal(await keysOf(client), 4);
    for (const [place, content] of await readStoredContent(service())) {
      for (const name of 'uvwxyz') assert.ok(!content.includes(key(name)), `${place} contains a key`);
    }
    assert.ok(!service().logs().includes(key('v')));
  });

  it('adds up the instances and the last seven days, and forgets older ones', async () => {
    const client = await newPrompt(service());
    const { statistics } = service().ctx.store;
    const { id: promptId } = (await service().ctx.store.prompts.find(client.userId, 'a')) ?? assert.fail('the prompt exists');
    const now = Date.now();
    const add = (writer: string, sequence: number, daysAgo: number, hashes: number[]) => {
      const day = new Date(now - daysAgo * dayMs).toISOString().slice(0, 10);
      const sketch = { hashes: Uint32Array.from(hashes), size: hashes.length };
      const others = { calls: [], prompts: [], renderErrors: [], members: [], runs: [], releases: [], keyUses: [] };
      return statistics.add({ writer, sequence, ...others, promptKeys: [{ accountId: client.userId, promptId, day, sketch }] });
    };
    const id = client.userId;
    await Promise.all([add(`${id}1`, 1, 0, [1, 5, 9]), add(`${id}2`, 1, 0, [2, 5]), add(`${id}3`, 1, 0, [3])]);
    await add(`${id}1`, 1, 0, [77]);
    assert.deepEqual(await storedKeys(client), ['1 2 3 5 9']);
    await add(`${id}1`, 2, 5, [1, 20]);
    await add(`${id}1`, 3, 8, [30]);
    assert.equal(await keysOf(client), 6);
    await add(`${id}1`, 4, 32, [40]);
    await sweep(service().ctx);
    assert.deepEqual((await storedKeys(client)).toSorted(), ['1 2 3 5 9', '1 20', '30']);
  });

  it('never stores a key', async () => {
    const client = await newPrompt(service());
    const key = `secret-${client.userId}`;
    await read(client, `?key=${key}`);
    await client.render('a', { variables: { x: '' }, key });
    assert.equal(await keysOf(client), 1);
    const [stored = ''] = await storedKeys(client);
    assert.match(stored, /^\d+$/);
    assert.ok(!service().logs().includes(key));
  });

  it('401, 404: says what is wrong', async () => {
    const client = await newPrompt(service());
    assertRefused(await client.call('GET', pathOf('nothing', '/keys')), 404, 'prompt_not_found');
    assert.equal((await call(service(), 'GET', pathOf('a', '/keys'))).status, 401);
  });
});
