import assert from 'node:assert/strict';
import { it } from 'node:test';
import { emptyBins } from '../../../src/domain/prompts/prompts.ts';
import { copy, countPrompts, mustCopy, newTeam, readHistory } from '../../support/copies.ts';
import { assertRefused, type Client, describeOnEveryEngine, type ListBody, newClient, pathOf, readAll } from '../../support/prompts.ts';
import type { Service } from '../../support/service.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Runs `work` once, after the rows are copied and before they become visible. */
function beforePublishing({ ctx }: Service, work: () => Promise<unknown>): void {
  const { readSnapshot } = ctx.store;
  // The copy reads the includes at this time.
  ctx.store.readSnapshot = async (...args) => {
    ctx.store.readSnapshot = readSnapshot;
    await work();
    return readSnapshot(...args);
  };
}

describeOnEveryEngine('POST /api/prompts/{name}/copy, while other things happen', (service) => {
  const namesIn = async (client: Client) => (await client.get<ListBody>('/api/prompts')).data.map(({ name }) => name);

  /** Creates a prompt with more versions than one transaction copies. */
  async function createLarge(client: Client, versions: number): Promise<void> {
    await client.create({ name: 'large', template: 'Version 1', labels: [] });
    for (let version = 2; version <= versions; version += 1) {
      const items = [
        { name: 'large', template: `Version ${version} ${'x'.repeat(20_000)}`, labels: version % 50 === 0 ? ['production'] : [] },
      ];
      assert.equal((await client.call('POST', '/api/prompts/batch', { items })).status, 200);
    }
  }

  it('copies a prompt with many versions in batches, and never shows a part of it', async () => {
    const owner = await newClient(service());
    await createLarge(owner, 130);
    const team = await newTeam(owner);
    const seen: string[][] = [];
    const bins: number[] = [];
    beforePublishing(service(), async () => {
      seen.push(await namesIn(team.owner));
      bins.push((await team.owner.get<ListBody>('/api/prompts?deleted=true')).data.length);
      assertRefused(await team.owner.call('GET', pathOf('large', '?label=latest')), 404, 'prompt_not_found');
      assertRefused(await team.owner.call('POST', pathOf('large', '/restore'), {}), 404, 'prompt_not_found');
      const { text } = await team.owner.call('GET', '/api/export');
      assert.equal(text.trim().split('\n').length, 1);
    });
    await mustCopy(owner, 'large', { workspace: team.id, move: true });
    assert.deepEqual([seen, bins], [[[]], [0]], 'it cannot be seen before it is complete');
    const versions = await readAll<{ version: number }>(team.owner, pathOf('large', '/versions?limit=100'));
    assert.deepEqual(
      versions.map(({ version }) => version),
      Array.from({ length: 130 }, (_, index) => 130 - index),
    );
    assert.equal((await readHistory(team.owner, 'large')).length, 130 + 2 + 1 + 1);
    assert.deepEqual(await namesIn(owner), []);
  });

  it('an interrupted copy leaves the original in place, and nothing that anyone can see', async () => {
    const owner = await newClient(service());
    await owner.create({ name: 'p', template: 'x' });
    const team = await newTeam(owner);
    // Simulates a kill: the copied rows exist, and the service cannot remove them.
    const { removeStagedPrompt } = service().ctx.store;
    service().ctx.store.removeStagedPrompt = async () => {};
    beforePublishing(service(), async () => {
      throw new Error('killed');
    });
    assert.equal((await copy(owner, 'p', { workspace: team.id, move: true })).status, 500);
    service().ctx.store.removeStagedPrompt = removeStagedPrompt;
    assert.deepEqual([await namesIn(owner), await namesIn(team.owner)], [['p'], []]);
    assert.deepEqual((await team.owner.get<ListBody>('/api/prompts?deleted=true')).data, []);
    assert.equal(await countPrompts(owner, team.id), 1, 'its rows are still there');
    await mustCopy(owner, 'p', { workspace: team.id });
    while (await emptyBins(service().ctx, new Date(Date.now() + dayMs)));
    assert.equal(await countPrompts(owner, team.id), 1, 'they are removed like prompts that have left the bin');
    assert.deepEqual(await namesIn(team.owner), ['p']);
  });

  it('a change to the original during the copy is copied too', async () => {
    const owner = await newClient(service());
    await owner.create({ name: 'p', template: 'one' });
    const team = await newTeam(owner);
    beforePublishing(service(), async () => {
      await owner.save('p', { template: 'two', labels: ['production'] });
      await owner.call('PATCH', pathOf('p'), { description: 'New', tags: ['new'] });
    });
    const copied = await mustCopy(owner, 'p', { workspace: team.id, move: true });
    assert.deepEqual([copied.labels, copied.description, copied.tags], [{ production: 2 }, 'New', ['new']]);
    assert.equal(await countPrompts(owner, team.id), 1, 'the first attempt is removed');
  });

  it('404 if the original is deleted during the copy, 409 if the name is taken; nothing is left behind', async () => {
    const owner = await newClient(service());
    for (const name of ['a', 'b']) await owner.create({ name, template: 'x' });
    const team = await newTeam(owner);
    beforePublishing(service(), () => owner.call('DELETE', '/api/prompts/a'));
    assertRefused(await copy(owner, 'a', { workspace: team.id }), 404, 'prompt_not_found');
    beforePublishing(service(), () => team.owner.create({ name: 'b', template: 'theirs' }));
    assertRefused(await copy(owner, 'b', { workspace: team.id, move: true }), 409, 'name_taken');
    assert.deepEqual([await namesIn(owner), await namesIn(team.owner)], [['b'], ['b']]);
    assert.equal(await countPrompts(owner, team.id), 1);
  });

  it('the copy ends if the caller loses access to either workspace or the key in the meantime', async () => {
    const [owner, member] = [await newClient(service()), await newClient(service())];
    const [from, to] = [await newTeam(owner, 'From'), await newTeam(owner, 'To')];
    await from.owner.create({ name: 'p', template: 'x' });
    const join = async () => {
      await from.join(member, 'editor');
      await to.join(member, 'editor');
    };
    const attempts: [() => Promise<unknown>, number, boolean][] = [
      [() => to.owner.call('DELETE', `/api/members/${member.userId}`), 404, false],
      [() => to.owner.call('PATCH', `/api/members/${member.userId}`, { role: 'viewer' }), 403, false],
      [() => from.owner.call('DELETE', `/api/members/${member.userId}`), 404, false],
      [() => from.owner.call('PATCH', `/api/members/${member.userId}`, { role: 'viewer' }), 403, true],
      [() => member.call('DELETE', '/api/auth/token'), 401, true],
    ];
    for (const [end, status, move] of attempts) {
      await join();
      beforePublishing(service(), end);
      const response = await copy(from.as(member), 'p', { workspace: to.id, move });
      assert.equal(response.status, status, response.text);
      assert.equal(await countPrompts(owner, to.id), 0, 'nothing is left behind');
    }
    assert.deepEqual([await namesIn(from.owner), await namesIn(to.owner)], [['p'], []]);
  });

  it('of many moves at once, exactly one succeeds for each prompt, even in opposite directions', async () => {
    const owner = await newClient(service());
    const [one, other] = [await newTeam(owner, 'One'), await newTeam(owner, 'Other')];
    await one.owner.create({ name: 'p', template: 'x' });
    await other.owner.create({ name: 'q', template: 'x' });
    const moves = Array.from({ length: 8 }, (_, index) =>
      index % 2 === 0
        ? copy(one.owner, 'p', { workspace: other.id, name: `p${index}`, move: true })
        : copy(other.owner, 'q', { workspace: one.id, name: `q${index}`, move: true }),
    );
    const statuses = (await Promise.all(moves)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [201, 201, 404, 404, 404, 404, 404, 404]);
    assert.equal((await namesIn(one.owner)).length + (await namesIn(other.owner)).length, 2, 'neither lost nor doubled');
  });
});
