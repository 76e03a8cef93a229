import assert from 'node:assert/strict';
import { it } from 'node:test';
import { call } from '../../support/client.ts';
import { describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { newMember, openTestSession } from '../../support/workspaces.ts';

describeOnEveryEngine('GET /api/workspaces', (service) => {
  it('200: the caller’s own workspace first, then the others by name, with the caller’s role; no deleted ones', async () => {
    const owners = await Promise.all(['Zoë', 'Ada', 'Gone'].map(async (name) => ({ name, ...(await newClient(service())) })));
    for (const { name, ...owner } of owners) await owner.call('PATCH', '/api/account', { name });
    const [zoe, ada, gone] = owners;
    assert.ok(zoe && ada && gone);
    const member = await newMember(service(), zoe, 'viewer');
    await service().ctx.store.memberships.put(ada.userId, member.userId, 'admin');
    await service().ctx.store.memberships.put(gone.userId, member.userId, 'admin');
    await service().ctx.store.accounts.delete(gone.userId);
    const expected = {
      data: [
        { id: member.userId, name: 'Test', kind: 'personal', shared: false, role: 'owner', owner: { name: 'Test', email: member.email } },
        { id: ada.userId, name: 'Ada', kind: 'personal', shared: true, role: 'admin', owner: { name: 'Ada', email: ada.email } },
        { id: zoe.userId, name: 'Zoë', kind: 'personal', shared: true, role: 'viewer', owner: { name: 'Zoë', email: zoe.email } },
      ],
    };
    assert.deepEqual(await member.get('/api/workspaces'), expected);
    assert.deepEqual(
      (await call(service(), 'GET', '/api/workspaces', { cookie: await openTestSession(service(), member) })).body,
      expected,
    );
    await service().ctx.store.memberships.remove(ada.userId, member.userId);
    const { data } = await member.get<typeof expected>('/api/workspaces');
    assert.deepEqual(
      data.map(({ name }) => name),
      ['Test', 'Zoë'],
    );
    assert.deepEqual(
      (await zoe.get<typeof expected>('/api/workspaces')).data.map(({ id }) => id),
      [zoe.userId],
      'members are not listed',
    );
  });
});
