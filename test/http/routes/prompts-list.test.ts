import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  assertRefused,
  type Client,
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PromptBody,
  pathOf,
  readAll,
} from '../../support/prompts.ts';

describeOnEveryEngine('GET /api/prompts', (service) => {
  let client: Client;
  const names = async (query: string) => (await client.get<ListBody>(`/api/prompts${query}`)).data.map(({ name }) => name);

  before(async () => {
    client = await newClient(service());
    await client.create({ name: 'zeta', template: 'z', description: 'ÄRGER über 100%_sure\\ things', tags: ['mail', 'old'] });
    await client.create({ name: 'support/triage', template: 'Sort {{ request }}', tags: ['mail'], labels: ['staging'] });
    await client.create({ name: 'support/reply/short', template: 's', tags: ['Mail'] });
    await client.create({ name: 'support', template: 'x' });
    await client.create({ name: 'support-old', template: 'x' });
    await client.create({ name: 'Support/upper', template: 'x' });
    const { updatedAt } = await client.create({ name: 'support.x', messages: [{ role: 'user', content: 'hi' }] });
    // The order of changes within the same millisecond is undefined.
    while (new Date().toISOString() <= updatedAt) await setImmediate();
    await client.save('support/triage', { template: 'Sort again {{ request }}', labels: ['production'] });
  });

  it('200: by name, byte by byte, independent of the database’s locale', async () => {
    assert.deepEqual(await names(''), [
      'Support/upper',
      'support',
      'support-old',
      'support.x',
      'support/reply/short',
      'support/triage',
      'zeta',
    ]);
  });

  it('200: by last change, newest first', async () => {
    assert.deepEqual((await names('?sort=-updatedAt')).slice(0, 3), ['support/triage', 'support.x', 'Support/upper']);
  });

  it('200: each item is the prompt, without content unless requested', async () => {
    const { data } = await client.get<ListBody>('/api/prompts?name=support%2Ftriage');
    const [item] = data;
    assert.deepEqual(item, {
      id: item?.id,
      name: 'support/triage',
      type: 'text',
      description: '',
      tags: ['mail'],
      latestVersion: 2,
      labels: { production: 2, staging: 1 },
      createdAt: item?.createdAt,
      updatedAt: item?.updatedAt,
    });
  });

  it('200: filters by tag, folder, label, names and search, alone and together', async () => {
    const cases: Record<string, string[]> = {
      '?tag=mail': ['support/triage', 'zeta'],
      '?tag=Mail': ['support/reply/short'],
      '?tag=none': [],
      '?folder=support': ['support/reply/short', 'support/triage'],
      '?folder=support%2F': ['support/reply/short', 'support/triage'],
      '?folder=support%2Freply': ['support/reply/short'],
      '?folder=supp': [],
      '?label=staging': ['support/triage'],
      '?label=none': [],
      '?name=zeta&name=support&name=nobody': ['support', 'zeta'],
      '?search=TRIAGE': ['support/triage'],
      '?search=%C3%A4rger%20%C3%BCber': ['zeta'],
      '?search=%C3%84RGER': ['zeta'],
      '?search=100%25_': ['zeta'],
      '?search=_': ['zeta'],
      '?search=%5C': ['zeta'],
      '?search=%25%25': [],
      "?search='%20or%201%3D1--": [],
      '?tag=mail&folder=support&label=production&search=tri&name=support%2Ftriage': ['support/triage'],
      '?tag=mail&folder=support&search=zeta': [],
    };
    for (const [query, expected] of Object.entries(cases)) assert.deepEqual(await names(query), expected, query);
    assert.equal((await names('?label=latest')).length, 7, 'every prompt has a newest version');
    assert.equal((await names('?search=&folder=')).length, 7, 'an empty filter is none');
  });

  it('200: include=content adds each prompt’s version at the label, or null', async () => {
    const versionsAt = async (query: string) =>
      (await client.get<ListBody>(`/api/prompts?include=content&folder=support${query}`)).data.map(
        ({ version }) => version?.version ?? null,
      );
    assert.deepEqual(await versionsAt(''), [1, 2]);
    assert.deepEqual(await versionsAt('&label=staging'), [1], 'only those that have the label');
    assert.deepEqual(await versionsAt('&label=latest'), [1, 2]);
    const { data } = await client.get<ListBody>('/api/prompts?include=content');
    for (const { name, version } of data) assert.deepEqual(version, await client.get(pathOf(name)));
    const other = await newClient(service());
    await other.create({ name: 'draft', template: 'x', labels: [] });
    const [draft] = (await other.get<ListBody>('/api/prompts?include=content')).data;
    assert.equal(draft?.version, null);
  });

  it('304: with the ETag of the last response; another URL has its own body', async () => {
    const first = await client.call('GET', '/api/prompts');
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    assert.equal((await client.call('GET', '/api/prompts', undefined, { headers })).status, 304);
    assert.equal((await client.call('HEAD', '/api/prompts')).status, 200);
    const limited = await client.get<ListBody>('/api/prompts?limit=1');
    assert.equal(limited.data.length, 1);
    assert.equal((await client.get<ListBody>('/api/prompts')).data.length, 7);
  });

  it('400: parameters out of range, of another type, unknown or repeated', async () => {
    const wrong: Record<string, string> = {
      'limit=0': '/limit',
      'limit=101': '/limit',
      'limit=1.5': '/limit',
      'limit=true': '/limit',
      'limit=1&limit=2': '/limit',
      'sort=createdAt': '/sort',
      'include=everything': '/include',
      'deleted=false': '/deleted',
      'label=Production': '/label',
      'search=%00': '/search',
      'tag=%00': '/tag',
      'folder=%00': '/folder',
      [`search=${'s'.repeat(201)}`]: '/search',
      [`tag=${'t'.repeat(51)}`]: '/tag',
      [`folder=${'f'.repeat(201)}`]: '/folder',
      'search=a&search=b': '/search',
      'cursor=garbage': '/cursor',
      'page=2': '/page',
    };
    for (const [query, path] of Object.entries(wrong))
      assertRefused(await client.call('GET', `/api/prompts?${query}`), 400, 'invalid_input', path);
    assert.equal((await client.call('GET', '/api/prompts?name=a%7Cb')).status, 400);
    assert.equal((await client.call('GET', `/api/prompts?${'name=a&'.repeat(101)}`)).status, 400);
  });

  it('400: a cursor of another list or order', async () => {
    const { nextCursor } = await client.get<ListBody>('/api/prompts?limit=1');
    for (const query of ['sort=-updatedAt', 'deleted=true']) {
      assertRefused(await client.call('GET', `/api/prompts?${query}&cursor=${nextCursor}`), 400, 'invalid_input', '/cursor');
    }
  });

  it('200: pages of the bin and by last change hold every prompt once', async () => {
    const other = await newClient(service());
    for (let count = 0; count < 7; count += 1) await other.create({ name: `p${count}`, template: 'x' });
    const byChange = await readAll<PromptBody>(other, '/api/prompts?sort=-updatedAt&limit=2');
    assert.deepEqual(
      byChange.map(({ name }) => name),
      ['p6', 'p5', 'p4', 'p3', 'p2', 'p1', 'p0'],
    );
    for (let count = 0; count < 5; count += 1) await other.call('DELETE', pathOf(`p${count}`));
    const bin = await readAll<PromptBody>(other, '/api/prompts?deleted=true&limit=2');
    assert.deepEqual(
      bin.map(({ name }) => name),
      ['p4', 'p3', 'p2', 'p1', 'p0'],
    );
  });
});
