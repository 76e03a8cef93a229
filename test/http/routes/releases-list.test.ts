import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assign, type Split } from '../../../src/contract/release-assignment.ts';
import { newId } from '../../../src/domain/ids.ts';
import { explain } from '../../support/plans.ts';
import {
  assertRefused,
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PromptBody,
  pathOf,
  readAll,
  type VersionBody,
} from '../../support/prompts.ts';
import type { Service } from '../../support/service.ts';

interface Listed extends Omit<PromptBody, 'version'> {
  version: (VersionBody & { release?: { id: string; arm: string; reason: string } }) | null;
  release?: Split & { versions: VersionBody[] };
}

const list = '/api/prompts?include=content&label=production';
const path = (name: string) => pathOf(name, '/labels/production/release');
const half = { control: 1, arms: [{ version: 2, weight: 5000 }], rules: [{ if: { plan: ['internal'] }, version: 3 }] };
const arms = [...half.arms, { version: 3, weight: 0 }];
const keys = Array.from({ length: 30 }, (_, index) => `user ${index} Zoë&=?`);

/** Creates prompts with three versions, the first of which is labeled. */
async function setUp(service: Service, names = ['a', 'b']) {
  const client = await newClient(service);
  for (const name of names) {
    await client.create({ name, template: 'one' });
    await client.save(name, { template: 'two {{ x }}', labels: ['staging'] });
    await client.save(name, { template: 'three' });
  }
  const start = async (name = 'a') => {
    const response = await client.call('PUT', path(name), { ...half, arms });
    assert.equal(response.status, 200, response.text);
  };
  const read = async (query = '') => (await client.get<ListBody<Listed>>(list + query)).data;
  return { ...client, start, read };
}

describeOnEveryEngine('GET /api/prompts?include=content: releases', (service) => {
  it('has the release of the label with the versions of its arms, and the control without a key', async () => {
    const client = await setUp(service());
    await client.start();
    const [a, b] = await client.read();
    const { id, salt, versions, ...rest } = a?.release ?? assert.fail('no release');
    assert.deepEqual(rest, { control: 1, arms, rules: half.rules });
    assert.equal(salt, id);
    const stored = [2, 3].map((version) => client.get<VersionBody>(pathOf('a', `/versions/${version}`)));
    assert.deepEqual(versions, await Promise.all(stored));
    const { release, ...control } = a?.version ?? assert.fail('no version');
    assert.deepEqual(release, { id, arm: 'control', reason: 'NO_KEY' });
    assert.deepEqual(control, await client.get(pathOf('a', '/versions/1')));
    assert.deepEqual([b?.release, b?.version?.release, b?.version?.version], [undefined, undefined, 1]);
  });

  it('has no release without content, at other labels, and after the end', async () => {
    const client = await setUp(service());
    await client.start();
    for (const query of ['', '?label=production', '?include=content&label=staging', '?include=content&label=latest', '?include=author']) {
      const { data } = await client.get<ListBody<Listed>>(`/api/prompts${query}`);
      assert.ok(data.length === 2 && data.every(({ release, version }) => !release && !version?.release), query);
    }
    const { data: found } = await client.get<ListBody<Listed>>(`${list}&search=one`);
    assert.deepEqual(
      found.map(({ release }) => release?.versions.length),
      [2, undefined],
    );
    await client.call('DELETE', path('a'));
    assert.ok((await client.read()).every(({ release, version }) => !release && version?.version === 1));
    await client.start();
    await client.call('POST', `${path('a')}/finish`, { version: 2 });
    const [a] = await client.read();
    assert.deepEqual([a?.release, a?.version?.version, a?.version?.release], [undefined, 2, undefined]);
  });

  it('has the version that a key or a context gets, as a read of the prompt', async () => {
    const client = await setUp(service());
    await client.start();
    const [listed] = await client.read();
    for (const key of keys) {
      const query = new URLSearchParams({ key });
      const [a, b] = await client.read(`&${query}`);
      assert.equal(a?.version?.version, assign(listed?.release ?? assert.fail(), { key }).version);
      assert.deepEqual(a?.version, await client.get(pathOf('a', `?${query}`)));
      assert.deepEqual([a?.release, b?.version?.version, b?.version?.release], [listed?.release, 1, undefined]);
    }
    const [a] = await client.read('&ctx.plan=internal');
    assert.deepEqual(a?.version, await client.get(pathOf('a', '?ctx.plan=internal')));
    assert.deepEqual([a?.version?.version, a?.version?.release?.reason], [3, 'RULE']);
    assert.deepEqual(await client.read(), [listed, ...(await client.read()).slice(1)]);
    for (const query of ['&key=', '&ctx.=1', `&key=${'x'.repeat(1001)}`, '&keys=a']) {
      assertRefused(await client.call('GET', list + query), 400, 'invalid_input');
    }
  });

  it('has another ETag after each change to a release', async () => {
    const client = await setUp(service());
    const tags = new Set<string | null>();
    const look = async (query = '') => {
      const { headers } = await client.call('GET', list + query);
      const etag = headers.get('etag') ?? '';
      const repeated = await client.call('GET', list + query, undefined, { headers: { 'if-none-match': etag } });
      assert.equal(repeated.status, 304);
      return etag;
    };
    const change = (body: object) => () => client.call('PATCH', path('a'), body);
    const wider = change({ arms: [{ version: 2, weight: 6000 }, arms[1]] });
    const steps = [client.start, wider, change({ state: 'paused' }), () => client.call('DELETE', path('a'))];
    for (const step of [async () => {}, ...steps]) {
      await step();
      tags.add(await look());
      assert.equal(await look('&key=user'), await look());
    }
    assert.equal(tags.size, 5);
  });

  it('reads many releases with as many queries as one, and without reading other versions', async () => {
    const client = await setUp(service(), ['a', 'b', 'c', 'd', 'e', 'f']);
    const count = async (started: string[]) => {
      for (const name of started) await client.start(name);
      const plans = await explain(service(), async () => void (await client.read(`&key=${started}`)));
      assert.deepEqual(
        plans.flatMap(({ scans }) => scans),
        [],
      );
      return plans.length;
    };
    const one = await count(['a']);
    assert.equal(await count(['b', 'c', 'd', 'e', 'f']), one);
    const released = await client.read();
    assert.ok(released.every(({ release }) => release?.versions.length === 2));
  });

  it('ends a page before its arms make it larger than 1 MB, and the pages are complete', async () => {
    const client = await newClient(service());
    const { userId } = client;
    const createdAt = new Date().toISOString();
    const template = 'x'.repeat(240_000);
    const texts = { content: JSON.stringify(template), config: '{}', variables: '[]', partials: '[]', message: '' };
    const names = ['a', 'b', 'c', 'd'];
    // Saving this many versions through the API would take too long, because each template is analyzed.
    await service().ctx.store.changePrompts(userId, async ({ prompts, versions, labels }) => {
      for (const name of names) {
        const prompt = { id: newId('p'), name, type: 'text' as const, description: '', latestVersion: 3 };
        await prompts.insert(userId, { ...prompt, createdAt, updatedAt: createdAt });
        for (const version of [1, 2, 3]) {
          await versions.insert(userId, {
            ...{ promptId: prompt.id, version, ...texts, syntax: 'liquid' as const, createdAt },
            by: { userId, name: 'Test' },
          });
        }
        await labels.put(userId, prompt.id, 'production', 1);
      }
    });
    for (const name of ['a', 'b']) assert.equal((await client.call('PUT', path(name), { control: 1, arms })).status, 200);
    const pages: string[][] = [];
    const all = await readAll<Listed>(client, list, async (page) => {
      pages.push(page.data.map(({ name }) => name));
      assert.ok(JSON.stringify(page).length < 1_100_000);
    });
    assert.deepEqual(pages, [['a'], ['b', 'c'], ['d']]);
    assert.deepEqual(
      all.map(({ release }) => release?.versions.map((version) => version.template === template)),
      [[true, true], [true, true], undefined, undefined],
    );
  });
});
