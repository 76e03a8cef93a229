import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { maxViews } from '../../../src/contract/limits.ts';
import { newMember } from '../../support/members.ts';
import { assertRefused, type Client, clientOf, describeOnEveryEngine, newClient } from '../../support/prompts.ts';

interface ViewBody {
  id: string;
  name: string;
  filters: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
}

describeOnEveryEngine('GET, POST /api/views, PATCH, DELETE /api/views/{id}', (service) => {
  let client: Client;
  before(async () => {
    client = await newClient(service());
  });

  const list = async (of: Client) => (await of.get<{ data: ViewBody[] }>('/api/views')).data;
  const create = async (of: Client, name: string, filters: object = {}) => {
    const response = await of.call('POST', '/api/views', { name, filters });
    assert.equal(response.status, 201, response.text);
    return response.body as ViewBody;
  };

  it('201, 200, 204: creates, lists, changes and deletes a view', async () => {
    const filters = {
      search: 'a',
      folder: 'b',
      tag: 'c',
      label: 'd',
      author: 'u_x',
      deployed: false,
      changed: '7d',
      favorites: true,
      sort: '-calls',
    };
    const view = await create(client, ' Mine ', filters);
    assert.match(view.id, /^vw_/);
    assert.deepEqual(view, { ...view, name: 'Mine', filters });
    assert.deepEqual(await list(client), [view]);
    const renamed = await client.call('PATCH', `/api/views/${view.id}`, { name: 'Other' });
    assert.deepEqual((renamed.body as ViewBody).filters, filters);
    const changed = await client.call('PATCH', `/api/views/${view.id}`, { filters: {} });
    assert.deepEqual(await list(client), [changed.body]);
    assert.equal((changed.body as ViewBody).name, 'Other');
    assert.equal((await client.call('DELETE', `/api/views/${view.id}`)).status, 204);
    assert.deepEqual(await list(client), []);
  });

  it('400, 404, 409: refuses invalid filters and names, unknown ids and taken names', async () => {
    const view = await create(client, 'taken');
    const other = await create(client, 'other');
    assertRefused(await client.call('POST', '/api/views', { name: 'taken', filters: {} }), 409, 'view_name_taken');
    assertRefused(await client.call('PATCH', `/api/views/${other.id}`, { name: 'taken' }), 409, 'view_name_taken');
    assert.equal((await client.call('PATCH', `/api/views/${view.id}`, { name: 'taken' })).status, 200);
    for (const body of [
      { name: '', filters: {} },
      { name: ' ', filters: {} },
      { name: 'a\0', filters: {} },
      { name: 'x'.repeat(101), filters: {} },
      { name: 'x' },
      { name: 'x', filters: { unknown: 1 } },
      { name: 'x', filters: { sort: 'size' } },
      { name: 'x', filters: { label: 'Not a label' } },
      { name: 'x', filters: { changed: 'soon' } },
      { name: 'x', filters: { search: 'x'.repeat(201) } },
      { name: 'x', filters: { search: '\0' } },
      { name: 'x', filters: { favorites: false } },
      { name: 'x', filters: null },
    ]) {
      assertRefused(await client.call('POST', '/api/views', body), 400, 'invalid_input');
    }
    assertRefused(await client.call('PATCH', `/api/views/${view.id}`, {}), 400, 'invalid_input');
    for (const id of ['vw_unknown', '%00']) {
      assertRefused(await client.call('PATCH', `/api/views/${id}`, { name: 'x' }), 404, 'view_not_found');
      assertRefused(await client.call('DELETE', `/api/views/${id}`), 404, 'view_not_found');
    }
  });

  it('8.2.2: nobody sees or changes the views of another member, nor of another account', async () => {
    const owner = await newClient(service());
    const view = await create(owner, 'private');
    const member = clientOf(service(), await newMember(owner, 'admin'), { headers: { 'PromptHarbor-Workspace': owner.userId } });
    assert.deepEqual(await list(member), []);
    for (const other of [member, await newClient(service())]) {
      assertRefused(await other.call('PATCH', `/api/views/${view.id}`, { name: 'x' }), 404, 'view_not_found');
      assertRefused(await other.call('DELETE', `/api/views/${view.id}`), 404, 'view_not_found');
    }
    await create(member, 'private');
    assert.deepEqual(await list(owner), [view]);
    await owner.call('DELETE', `/api/members/${member.userId}`);
    const { ctx } = service();
    await ctx.store.changeWorkspace(owner.userId, (stores) => stores.memberships.put(owner.userId, member.userId, 'viewer'));
    assert.deepEqual(await list(member), [], 'views end with the membership');
  });

  it('409: no more than the maximum, even with concurrent requests', async () => {
    const of = await newClient(service());
    for (let index = 1; index < maxViews; index += 1) await create(of, `view ${index}`);
    const responses = await Promise.all(['a', 'b', 'c'].map((name) => of.call('POST', '/api/views', { name, filters: {} })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409]);
    assert.equal((await list(of)).length, maxViews);
  });
});
