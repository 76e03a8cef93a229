import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { maxFavorites } from '../../../src/contract/limits.ts';
import { newId } from '../../../src/domain/ids.ts';
import { newMember } from '../../support/members.ts';
import { assertRefused, type Client, clientOf, describeOnEveryEngine, newClient, pathOf } from '../../support/prompts.ts';

describeOnEveryEngine('GET /api/favorites, PUT and DELETE /api/prompts/{name}/favorite', (service) => {
  let owner: Client;
  before(async () => {
    owner = await newClient(service());
    await owner.create({ name: 'support/triage', template: 'x' });
    await owner.create({ name: 'a', messages: [{ role: 'user', content: 'x' }] });
  });

  const add = (client: Client, name: string) => client.call('PUT', pathOf(name, '/favorite'));
  const remove = (client: Client, name: string) => client.call('DELETE', pathOf(name, '/favorite'));
  const names = async (client: Client) => (await client.get<{ data: { name: string }[] }>('/api/favorites')).data.map(({ name }) => name);
  const inOwners = (client: Client) => clientOf(service(), client, { headers: { 'PromptHarbor-Workspace': owner.userId } });

  it('204: adds and removes a favorite, any number of times', async () => {
    const client = await newClient(service());
    await client.create({ name: 'b', template: 'x' });
    await client.create({ name: 'a/b', template: 'x' });
    for (const name of ['b', 'a/b', 'b']) assert.equal((await add(client, name)).status, 204);
    assert.deepEqual(await names(client), ['a/b', 'b']);
    for (let times = 0; times < 2; times += 1) assert.equal((await remove(client, 'b')).status, 204);
    assert.deepEqual(await names(client), ['a/b']);
    assertRefused(await add(client, 'missing'), 404, 'prompt_not_found');
    assertRefused(await remove(client, 'missing'), 404, 'prompt_not_found');
  });

  it('200: a favorite follows its prompt through a rename, the bin and a restoration, and ends with it', async () => {
    const client = await newClient(service());
    await client.create({ name: 'before', template: 'x' });
    await add(client, 'before');
    await client.call('PATCH', pathOf('before'), { name: 'folder/after' });
    assert.deepEqual(await names(client), ['folder/after']);
    await client.call('DELETE', pathOf('folder/after'));
    assert.deepEqual(await names(client), []);
    await client.call('POST', pathOf('folder/after', '/restore'), {});
    assert.deepEqual(await names(client), ['folder/after']);
    await client.call('DELETE', pathOf('folder/after'));
    await client.create({ name: 'folder/after', template: 'another' });
    assert.deepEqual(await names(client), [], 'a new prompt of the same name is not a favorite');
    await client.call('DELETE', pathOf('folder/after'));
    const { ctx } = service();
    while (await ctx.store.removeExpiredPrompts(new Date(Date.now() + 1000)));
    assert.deepEqual(await names(client), []);
  });

  it('8.2.2: nobody sees or changes the favorites of another member, nor of another account', async () => {
    const [one, other, stranger] = [await newMember(owner, 'viewer'), await newMember(owner, 'admin'), await newClient(service())];
    assert.equal((await add(inOwners(one), 'support/triage')).status, 204);
    assert.equal((await add(inOwners(other), 'a')).status, 204);
    assert.deepEqual(await names(inOwners(one)), ['support/triage']);
    assert.deepEqual(await names(inOwners(other)), ['a']);
    assert.deepEqual(await names(owner), []);
    await remove(inOwners(other), 'support/triage');
    assert.deepEqual(await names(inOwners(one)), ['support/triage']);
    assert.deepEqual(await names(one), [], 'another workspace of the same person');
    assertRefused(await add(inOwners(stranger), 'a'), 404, 'workspace_not_found');
    assertRefused(await inOwners(stranger).call('GET', '/api/favorites'), 404, 'workspace_not_found');
    const list = await owner.call('GET', '/api/prompts');
    assert.ok(!list.text.includes('favorite'), 'responses that members share say nothing about favorites');
  });

  it('200: favorites end with the membership and the account', async () => {
    const member = await newMember(owner, 'editor');
    await add(inOwners(member), 'a');
    assert.equal((await owner.call('DELETE', `/api/members/${member.userId}`)).status, 204);
    assertRefused(await inOwners(member).call('GET', '/api/favorites'), 404, 'workspace_not_found');
    const { ctx } = service();
    await ctx.store.changeWorkspace(owner.userId, (stores) => stores.memberships.put(owner.userId, member.userId, 'viewer'));
    assert.deepEqual(await names(inOwners(member)), [], 'a new membership begins without any');
  });

  it('409: no more than the maximum, even with concurrent requests', async () => {
    const client = await newClient(service());
    const { ctx } = service();
    const now = new Date().toISOString();
    const promptNames = Array.from({ length: maxFavorites + 4 }, (_, index) => `p-${index}`);
    const times = { createdAt: now, updatedAt: now };
    for (const name of promptNames) {
      await ctx.store.prompts.insert(client.userId, { id: newId('p'), name, type: 'text', description: '', latestVersion: 1, ...times });
    }
    for (const name of promptNames.slice(0, maxFavorites - 1)) assert.equal((await add(client, name)).status, 204);
    const responses = await Promise.all(promptNames.slice(-5).map((name) => add(client, name)));
    const statuses = responses.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [204, 409, 409, 409, 409]);
    assert.equal((await names(client)).length, maxFavorites);
    assert.equal((await add(client, 'p-0')).status, 204, 'an existing favorite is no error');
    const refused = responses.find(({ status }) => status === 409) ?? assert.fail();
    assertRefused(refused, 409, 'too_many_favorites');
  });
});
