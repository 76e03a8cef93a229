import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../../../src/domain/ids.ts';
import { type Client, describeOnEveryEngine, newClient, type PromptBody, pathOf, readAll } from '../../support/prompts.ts';

const count = 3000;

describeOnEveryEngine('GET /api/prompts, thousands of them', (service) => {
  async function insertPrompts({ userId }: Client, names: string[], tagsOf: (index: number) => string[] = () => []): Promise<void> {
    const now = new Date().toISOString();
    await service().ctx.store.changePrompts(userId, async ({ prompts }) => {
      for (const [index, name] of names.entries()) {
        // The service runs in this process and would shed load if the event loop were blocked.
        if (index % 500 === 0) await nextTurn();
        const id = newId('p');
        await prompts.insert(userId, { id, name, type: 'text', description: '', latestVersion: 1, createdAt: now, updatedAt: now });
        if (tagsOf(index).length > 0) await prompts.replaceTags(userId, id, tagsOf(index));
      }
    });
    await analyze(service().database.env.DATABASE_URL);
  }

  /** Counts the iterations of the event loop in which other code can run during the work. */
  async function countTurns(work: () => Promise<void>): Promise<number> {
    let turns = 0;
    const countTurn = () => {
      turns += 1;
      immediate = setImmediate(countTurn);
    };
    let immediate = setImmediate(countTurn);
    await work();
    clearImmediate(immediate);
    return turns;
  }

  it('200: filters find few prompts of many, each once, in any order and by any page', async () => {
    const client = await newClient(service());
    const names = Array.from({ length: count }, (_, index) => `f${index % 3}/p${String(index).padStart(5, '0')}`);
    await insertPrompts(client, names, (index) => (index % 137 === 5 ? ['rare', 'half'] : index % 2 === 0 ? ['half'] : []));
    for (const name of ['f0/p00400x', 'f1/p02000x', 'f2/p02900x']) {
      await client.create({ name, template: 'x', tags: ['rare'] });
      await client.call('PUT', pathOf(name, '/labels/rare'), { version: 1 });
    }
    const labeled = ['f0/p00400x', 'f1/p02000x', 'f2/p02900x'];
    const tagged = [...names.filter((_, index) => index % 137 === 5), ...labeled].sort();
    const expectations = {
      'tag=rare': tagged,
      'tag=rare&folder=f1': tagged.filter((name) => name.startsWith('f1/')),
      'label=rare': labeled,
      'label=rare&tag=half': [],
      'tag=none': [],
      'search=X&tag=rare': labeled,
      'folder=f2&search=p02': names
        .filter((name) => name.startsWith('f2/p02'))
        .concat('f2/p02900x')
        .sort(),
      'name=f1/p02000x&name=f0/p00000&tag=rare': ['f1/p02000x'],
    };
    for (const [filter, expected] of Object.entries(expectations)) {
      for (const order of ['limit=7', 'limit=7&sort=-updatedAt', 'limit=100']) {
        const found = (await readAll<PromptBody>(client, `/api/prompts?${filter}&${order}`)).map(({ name }) => name);
        assert.deepEqual(order.includes('sort') ? found.toSorted() : found, expected, `${filter}&${order}`);
      }
    }
    const page = '/api/public/v2/prompts?tag=rare&limit=10&page=3&fromUpdatedAt=2020-01-01T00:00:00Z';
    const numbered = (await client.call('GET', page)).body as { data: { name: string }[]; meta: { totalItems: number } };
    assert.equal(numbered.meta.totalItems, tagged.length);
    assert.deepEqual(
      numbered.data.map(({ name }) => name),
      tagged.slice(20, 30),
    );

    const { prompts } = service().ctx.store.read(client.userId);
    const turns = await countTurns(async () => {
      assert.deepEqual(await prompts.list(client.userId, { sort: 'name', limit: 50, label: 'none' }), []);
      const { total } = await prompts.listNumbered(client.userId, { sort: 'name', limit: 1, tag: 'half' }, 0);
      assert.equal(total, names.filter((_, index) => index % 137 === 5 || index % 2 === 0).length);
    });
    assert.ok(turns > 0, 'the event loop is free meanwhile');

    for (const name of tagged.slice(0, 20)) await client.call('DELETE', pathOf(name));
    const bin = (await readAll<PromptBody>(client, '/api/prompts?deleted=true&tag=rare&limit=3')).map(({ name }) => name);
    assert.deepEqual(bin, tagged.slice(0, 20).reverse());
    const left = (await readAll<PromptBody>(client, '/api/prompts?tag=rare&limit=3')).map(({ name }) => name);
    assert.deepEqual(left, tagged.slice(20));
  });

  it('200: paging during concurrent writes skips and repeats no prompt', async () => {
    const client = await newClient(service());
    const names = Array.from({ length: count }, (_, index) => `f${index % 7}/p${String(index).padStart(5, '0')}`);
    await insertPrompts(client, names);
    let page = 0;
    const seen = await readAll<PromptBody>(client, '/api/prompts?limit=25', async ({ data }) => {
      page += 1;
      if (page % 8 !== 1) return;
      const last = data.at(-1)?.name ?? '';
      // One change is before, one at and one after the reader's position.
      await Promise.all([
        client.create({ name: `f0/new-${page}`, template: 'x' }),
        client.create({ name: `${last}-new`, template: 'x' }),
        client.call('PATCH', pathOf(last), { description: 'changed meanwhile' }),
        page % 16 === 1 ? client.call('DELETE', pathOf(last)) : client.create({ name: `z/new-${page}`, template: 'x' }),
      ]);
    });
    const paged = seen.map(({ name }) => name);
    assert.equal(new Set(paged).size, paged.length, 'none comes twice');
    assert.deepEqual(
      paged.filter((name) => /p\d{5}$/.test(name)),
      [...names].sort(),
      'none is left out, and they come in order',
    );
    assert.ok(page > 100);

    const current = (await readAll<PromptBody>(client, '/api/prompts?limit=100')).map(({ name }) => name);
    const expected = current.filter((name) => name.includes('p029'));
    assert.ok(expected.length > 99);
    for (const query of ['?search=P029&limit=40', '?search=p029&limit=40&sort=-updatedAt']) {
      const found = (await readAll<PromptBody>(client, `/api/prompts${query}`)).map(({ name }) => name);
      assert.deepEqual(found.toSorted(), expected, query);
    }

    // A hostile search must not block the event loop.
    const search = { sort: 'name', limit: 50, search: `${'0'.repeat(199)}x` } as const;
    const turns = await countTurns(async () => {
      assert.deepEqual(await service().ctx.store.read(client.userId).prompts.list(client.userId, search), []);
    });
    assert.ok(turns > 0, 'the event loop is free meanwhile');
  });
});

/** Updates PostgreSQL's planner statistics. PostgreSQL itself updates them within about a minute. */
async function analyze(url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const client = new pg.Client(url);
  await client.connect();
  await client.query('analyze');
  await client.end();
}
