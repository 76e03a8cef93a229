import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Prompt } from '../../../dashboard/src/lib/types.ts';
import type { PromptFilters } from '../../../dashboard/src/prompts/filter-search.ts';
import { changedSinceOf, filterPrompts, isTree, toQuery } from '../../../dashboard/src/prompts/filters.ts';
import { newMember } from '../../support/members.ts';
import {
  assertRefused,
  type Client,
  clientOf,
  describeOnEveryEngine,
  type ListBody,
  newClient,
  type PromptBody,
  pathOf,
  readAll,
} from '../../support/prompts.ts';

describeOnEveryEngine('GET /api/prompts: author, deployed, changedSince, subfolders and order', (service) => {
  let client: Client;
  let member: Client;
  let middle: string;

  before(async () => {
    client = await newClient(service());
    const account = await newMember(client, 'editor');
    member = clientOf(service(), account, { headers: { 'PromptHarbor-Workspace': client.userId } });
    await client.create({ name: 'support/triage', template: 'a', tags: ['mail'] });
    await client.create({ name: 'support/mail/reply', template: 'b', labels: [] });
    await member.create({ name: 'by-member', template: 'c', labels: ['staging'] });
    await member.create({ name: 'both', template: 'd' });
    const { createdAt } = await client.save('both', { template: 'd2' });
    // The order of changes within the same millisecond is undefined.
    while (new Date().toISOString() <= createdAt) await setImmediate();
    middle = new Date().toISOString();
    await client.create({ name: '😀/x', template: 'e', labels: [] });
    await client.call('PATCH', pathOf('support/triage'), { description: 'Sorts requests' });
    await client.create({ name: 'gone', template: 'f' });
    await client.call('DELETE', pathOf('gone'));
  });

  const list = async (query: string) => (await client.get<ListBody>(`/api/prompts?${query}`)).data.map(({ name }) => name);

  it('200: each filter alone and together', async () => {
    const cases: Record<string, string[]> = {
      'deployed=false': ['support/mail/reply', '😀/x'],
      'deployed=true': ['both', 'by-member', 'support/triage'],
      [`author=${member.userId}`]: ['by-member'],
      [`author=${client.userId}`]: ['both', 'support/mail/reply', 'support/triage', '😀/x'],
      'author=u_nobody': [],
      [`changedSince=${middle}`]: ['support/triage', '😀/x'],
      'changedSince=2100-01-01': [],
      'subfolders=false': ['both', 'by-member'],
      'folder=support&subfolders=false': ['support/triage'],
      'folder=%F0%9F%98%80&subfolders=false': ['😀/x'],
      [`deployed=false&changedSince=${middle}&author=${client.userId}`]: ['😀/x'],
    };
    for (const [query, expected] of Object.entries(cases)) {
      assert.deepEqual(await list(query), expected, query);
      const { prompts } = await client.get<{ prompts: number }>(`/api/overview?${query}`);
      assert.equal(prompts, expected.length, `overview of ${query}`);
    }
  });

  it('200: a prompt has the author of its newest version with include=author, and no author without', async () => {
    const { data } = await client.get<ListBody<{ name: string; author: { userId: string } }>>('/api/prompts?include=author');
    const authors = Object.fromEntries(data.map(({ name, author }) => [name, author.userId]));
    assert.equal(authors.both, client.userId);
    assert.equal(authors['by-member'], member.userId);
    assert.ok(!JSON.stringify(await client.get('/api/prompts')).includes('author'));
  });

  it('200: the overview lists authors', async () => {
    const { authors } = await client.get<{ authors: { userId: string }[] }>('/api/overview');
    assert.deepEqual(authors.map(({ userId }) => userId).sort(), [client.userId, member.userId].sort());
  });

  it('200: folders, with the number of prompts directly in each', async () => {
    assert.deepEqual(await client.get('/api/folders'), {
      data: [
        { path: '', prompts: 2 },
        { path: 'support', prompts: 1 },
        { path: 'support/mail', prompts: 1 },
        { path: '😀', prompts: 1 },
      ],
      complete: true,
    });
  });

  it('400: a value that is not allowed', async () => {
    for (const [query, path] of [
      ['deployed=no', '/deployed'],
      ['changedSince=soon', '/changedSince'],
      ['changedSince=%2B275760-09-13', '/changedSince'],
      ['subfolders=true', '/subfolders'],
      ['sort=calls', '/sort'],
      ['author=%00', '/author'],
    ] as const) {
      assertRefused(await client.call('GET', `/api/prompts?${query}`), 400, 'invalid_input', path);
    }
    const { nextCursor } = await client.get<ListBody>('/api/prompts?sort=-name&limit=1');
    assertRefused(await client.call('GET', `/api/prompts?sort=name&limit=1&cursor=${nextCursor}`), 400, 'invalid_input', '/cursor');
  });

  it('200: the dashboard’s own filters find the same prompts, in the same order if they are sorted by time', async () => {
    const { data } = await client.get<ListBody<Prompt>>('/api/prompts?include=author');
    const context = { isFavorite: () => true, usage: () => undefined, now: new Date() };
    const cases: PromptFilters[] = [
      {},
      { sort: '-name' },
      { sort: 'updatedAt' },
      { sort: '-updatedAt' },
      { deployed: false },
      { deployed: true },
      { label: 'staging' },
      { label: 'latest' },
      { label: 'constructor' },
      { tag: 'mail' },
      { tag: 'none' },
      { author: client.userId },
      { author: member.userId },
      { author: 'u_nobody' },
      { folder: 'support' },
      { folder: 'supp' },
      { changed: 'today' },
      { changed: '7d' },
      { changed: '2020-01-01' },
      { changed: '2100-01-01' },
      { changed: '2026-13-45' },
      { folder: 'support', deployed: false, author: client.userId, changed: 'today', sort: '-name' },
    ];
    for (const filters of cases) {
      const query = new URLSearchParams(toQuery(filters, context.now) as Record<string, string>);
      const found = filterPrompts([...data], filters, context).map(({ name }) => name);
      // If all prompts are loaded, the dashboard sorts names as in a dictionary, and numbers in names by their value.
      const isSorted = filters.sort === 'updatedAt' || filters.sort === '-updatedAt';
      const expected = await list(String(query));
      assert.deepEqual(isSorted ? found : found.toSorted(), isSorted ? expected : expected.toSorted(), JSON.stringify(filters));
    }
    assert.equal(changedSinceOf({ changed: 'today' }, new Date(2026, 10, 18, 15)), new Date(2026, 10, 18).toISOString());
    assert.equal(changedSinceOf({ changed: '7d' }, new Date(2026, 10, 18, 15)), new Date(2026, 10, 11).toISOString());
    assert.ok(isTree({ folder: 'a', sort: '-name' }) && !isTree({ favorites: true }) && !isTree({ sort: 'updatedAt' }));
  });

  it('200: in every order, the pages contain all prompts that are kept, while others are created and deleted', async () => {
    const writer = await newClient(service());
    const kept = Array.from({ length: 25 }, (_, index) => `kept-${String(index).padStart(2, '0')}`);
    for (const name of kept) await writer.create({ name, template: 'x' });
    for (const sort of ['name', '-name', 'updatedAt', '-updatedAt']) {
      let round = 0;
      const found = await readAll<PromptBody>(writer, `/api/prompts?limit=4&sort=${sort}`, async () => {
        round += 1;
        await writer.create({ name: `new-${sort}-${round}`, template: 'x' });
        await writer.create({ name: `a-new-${sort}-${round}`, template: 'x' });
        await writer.call('DELETE', pathOf(`new-${sort}-${round}`));
        assert.ok(round < 50, 'ends, although prompts are added');
      });
      const names = found.map(({ name }) => name);
      assert.deepEqual(names.filter((name) => name.startsWith('kept-')).sort(), kept, `${sort} skips nothing`);
      assert.equal(new Set(names).size, names.length, `${sort} repeats nothing`);
    }
  });
});
