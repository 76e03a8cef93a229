import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findIncludes, type SearchBudget } from '../../../src/domain/prompts/includes/find-includes.ts';
import { type Client, describeOnEveryEngine, newClient, pathOf } from '../../support/prompts.ts';

interface Told {
  prompt: string | undefined;
  labels: string[];
  cause: { prompt: { id: string; name: string }; label: string };
}

describeOnEveryEngine('dependency.changed', (service) => {
  /** Lists the dependents in the events of a change, in the order of the events. */
  async function tellOf(client: Client, change: () => Promise<unknown>): Promise<Told[]> {
    const { events } = service().ctx.store;
    const list = () => events.list(client.userId, { after: 0, limit: 10_000 });
    const before = (await list()).at(-1)?.revision ?? 0;
    await change();
    const added = (await list()).filter(({ revision }) => revision > before);
    return added
      .filter(({ type }) => type === 'dependency.changed')
      .map(({ prompt, detail }) => ({ prompt: prompt?.name, ...(JSON.parse(detail) as Omit<Told, 'prompt'>) }));
  }

  it('reaches the prompts that include a prompt at the label that changed, directly and through others', async () => {
    const client = await newClient(service());
    const tone = await client.create({ name: 'tone', template: 'Be kind' });
    await client.create({ name: 'reply', template: "{% render 'tone' %}" });
    await client.create({ name: 'outer', template: "{% render 'reply' %}", labels: ['production', 'canary'] });
    await client.create({ name: 'staged', template: "{% render 'tone', label: 'staging' %}" });
    await client.create({ name: 'newest', template: "{% render 'tone', label: 'latest' %}", labels: [] });
    await client.create({ name: 'former', template: "{% render 'tone' %}" });
    await client.save('former', { template: 'without', labels: ['production'] });
    await client.create({ name: 'unrelated', template: 'x' });
    const cause = (label: string) => ({ prompt: { id: tone.id, name: 'tone' }, label });

    assert.deepEqual(await tellOf(client, () => client.save('tone', { template: 'Be brief' })), [
      { prompt: 'newest', labels: ['latest'], cause: cause('latest') },
    ]);
    const atProduction = [
      { prompt: 'reply', labels: ['latest', 'production'], cause: cause('production') },
      { prompt: 'outer', labels: ['canary', 'latest', 'production'], cause: cause('production') },
    ];
    assert.deepEqual(await tellOf(client, () => client.label('tone', 'production', 2)), atProduction);
    assert.deepEqual(await tellOf(client, () => client.label('tone', 'production', 2)), [], 'nothing has changed');
    assert.deepEqual(await tellOf(client, () => client.label('tone', 'staging', 1)), [
      { prompt: 'staged', labels: ['latest', 'production'], cause: cause('staging') },
    ]);
    const removed = await tellOf(client, () => client.call('DELETE', pathOf('tone', '/labels/staging')));
    assert.deepEqual(
      removed.map(({ prompt }) => prompt),
      ['staged'],
    );
    assert.deepEqual(await tellOf(client, () => client.call('PATCH', pathOf('tone'), { description: 'How we talk' })), []);

    for (const change of [
      () => client.call('DELETE', pathOf('tone')),
      () => client.call('POST', pathOf('tone', '/restore')),
      () => client.call('PATCH', pathOf('tone'), { name: 'voice' }),
      () => client.call('PATCH', pathOf('voice'), { name: 'tone' }),
    ]) {
      const told = await tellOf(client, change);
      assert.deepEqual(told.map(({ prompt }) => prompt).sort(), ['newest', 'outer', 'reply', 'staged'], String(change));
    }
  });

  it('is sent once for each dependent, even with circular includes, and for at most 100', async () => {
    const client = await newClient(service());
    await client.create({ name: 'a', template: "{% render 'b' %}" });
    await client.create({ name: 'b', template: "{% render 'a' %}{% render 'hub' %}{% render 'hub', label: 'staging' %}" });
    await client.create({ name: 'hub', template: 'x', labels: [] });
    const told = await tellOf(client, () => client.save('hub', { template: 'y', labels: ['production', 'staging'] }));
    assert.deepEqual(
      told.map(({ prompt }) => prompt),
      ['b', 'a'],
    );
    for (let index = 0; index < 110; index += 1) await client.create({ name: `many/${index}`, template: "{% render 'hub' %}", labels: [] });
    assert.equal((await tellOf(client, () => client.label('hub', 'production', 1))).length, 100);
  });

  it('is not hidden by many prompts that no longer include the prompt', async () => {
    const client = await newClient(service());
    const names = Array.from({ length: 110 }, (_, index) => `former/${index}`);
    for (const template of ["{% render 'hub' %}", 'without']) {
      const items = names.map((name) => ({ name, template }));
      for (const part of [items.slice(0, 50), items.slice(50, 100), items.slice(100)]) {
        assert.equal((await client.call('POST', '/api/prompts/batch', { items: part })).status, 200);
      }
    }
    await client.create({ name: 'hub', template: 'x', labels: [] });
    for (const name of names) await client.label(name, 'production', 2);
    await client.create({ name: 'live', template: "{% render 'hub' %}" });
    const told = await tellOf(client, () => client.label('hub', 'production', 1));
    assert.deepEqual(
      told.map(({ prompt }) => prompt),
      ['live'],
    );
  });

  it('is sent for many dependents by a single change, with the prompt as it is then', async () => {
    const client = await newClient(service());
    const names = Array.from({ length: 30 }, (_, index) => `many/${String(index).padStart(2, '0')}`);
    for (const name of names) await client.create({ name, template: "{% render 'hub', label: 'latest' %}" });
    let hubId = '';
    const create = async () => {
      hubId = (await client.create({ name: 'hub', template: 'x' })).id;
    };
    const told = await tellOf(client, create);
    const expected = names.map((prompt) => ({
      prompt,
      labels: ['latest', 'production'],
      cause: { prompt: { id: hubId, name: 'hub' }, label: 'latest' },
    }));
    assert.deepEqual(told.toSorted(byPrompt), expected);
    const { events } = service().ctx.store;
    const created = await events.list(client.userId, { after: 0, limit: 10_000 });
    assert.equal(created.filter(({ type, prompt }) => type === 'prompt.created' && prompt?.name === 'hub').length, 1);

    const saved = await tellOf(client, async () => assert.equal((await client.save('hub', { template: 'y' })).version, 2));
    assert.deepEqual(saved.toSorted(byPrompt), expected);
    const { body } = await client.call('GET', pathOf('hub', '/history'));
    assert.deepEqual(
      (body as { data: { type: string }[] }).data.map(({ type }) => type),
      ['version_saved', 'label_moved', 'created'],
    );
  });

  it('considers only prompts that include the changed label, and a limited number of them', async () => {
    const client = await newClient(service());
    await client.create({ name: 'hub', template: 'x' });
    for (let index = 0; index < 35; index += 1) {
      await client.create({ name: `many/${index}`, template: "{% render 'hub', label: 'staging' %}" });
    }
    assert.deepEqual(await tellOf(client, () => client.save('hub', { template: 'y' })), []);
    const { references } = service().ctx.store;
    const search = async (budget: SearchBudget) => {
      const found = await Array.fromAsync(findIncludes(references, client.userId, { name: 'hub', label: 'staging' }, budget));
      return { found: new Set(found.map(({ name }) => name)).size, isComplete: budget.promptsLeft >= 0 };
    };
    assert.deepEqual(await search({ promptsLeft: 25, labelsLeft: 100 }), { found: 23, isComplete: false });
    assert.deepEqual(await search({ promptsLeft: 60, labelsLeft: 10 }), { found: 20, isComplete: false });
    assert.deepEqual(await search({ promptsLeft: 60, labelsLeft: 100 }), { found: 35, isComplete: true });
  });

  it('stays inside the workspace', async () => {
    const [one, other] = [await newClient(service()), await newClient(service())];
    for (const client of [one, other]) {
      await client.create({ name: 'tone', template: 'x' });
      await client.create({ name: 'reply', template: "{% render 'tone' %}" });
    }
    const told = await tellOf(other, () => one.call('DELETE', pathOf('tone')));
    assert.deepEqual(told, []);
  });
});

function byPrompt(one: Told, other: Told): number {
  return (one.prompt ?? '') < (other.prompt ?? '') ? -1 : 1;
}
