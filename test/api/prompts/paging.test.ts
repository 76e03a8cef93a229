import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newId } from '../../../src/domain/ids.ts';
import { describeOnEveryEngine, newClient, type PromptBody, pathOf, readAll } from '../../support/prompts.ts';

const count = 3000;

describeOnEveryEngine('GET /api/prompts, thousands of them', (service) => {
  it('200: paging during concurrent writes skips and repeats no prompt', async () => {
    const client = await newClient(service());
    const now = new Date().toISOString();
    const names = Array.from({ length: count }, (_, index) => `f${index % 7}/p${String(index).padStart(5, '0')}`);
    await service().ctx.store.changePrompts(client.userId, async ({ prompts }) => {
      for (const [index, name] of names.entries()) {
        // The service runs in this process, and sheds load when its event loop is blocked.
        if (index % 500 === 0) await nextTurn();
        await prompts.insert(client.userId, {
          id: newId('p'),
          name,
          type: 'text',
          description: '',
          latestVersion: 1,
          createdAt: now,
          updatedAt: now,
        });
      }
    });
    let page = 0;
    const seen = await readAll<PromptBody>(client, '/api/prompts?limit=25', async ({ data }) => {
      page += 1;
      if (page % 8 !== 1) return;
      const last = data.at(-1)?.name ?? '';
      // Before, at and after the position of the reader.
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

    // A hostile search must not block the event loop, which the embedded database does while a query runs.
    let turns = 0;
    const countTurn = () => {
      turns += 1;
      immediate = setImmediate(countTurn);
    };
    let immediate = setImmediate(countTurn);
    const search = { sort: 'name', limit: 50, search: `${'0'.repeat(199)}x` } as const;
    assert.deepEqual(await service().ctx.store.prompts.list(client.userId, search), []);
    clearImmediate(immediate);
    assert.ok(turns >= count / 250 - 1, `only ${turns} turns of the event loop during a search`);
  });
});
