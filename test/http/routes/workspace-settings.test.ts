import assert from 'node:assert/strict';
import { it } from 'node:test';
import { updateWorkspace } from '../../../src/domain/workspaces/workspace-settings.ts';
import { callFromPage } from '../../support/browser.ts';
import { call } from '../../support/client.ts';
import { actIn, codeOf, invite, newMember, newServiceAccount, openBrowser, origin } from '../../support/members.ts';
import { assertRefused, type Client, describeOnEveryEngine, newClient } from '../../support/prompts.ts';

interface Event {
  type: string;
  address: string | null;
  by: { userId: string; name: string } | null;
  detail: Record<string, unknown> | null;
}

const dailyBudget = { cost: null, tokens: null };

describeOnEveryEngine('Workspaces', (service) => {
  const patch = (owner: Client, body: unknown) => owner.call('PATCH', '/api/workspace', body);

  it('GET, PATCH /api/workspace: 200: a new workspace protects nothing; its name is that of the account', async () => {
    const owner = await newClient(service());
    assert.deepEqual(await owner.get('/api/workspace'), {
      name: 'Test',
      protectedLabels: [],
      gatedLabels: [],
      labelRules: {},
      dailyBudget,
    });
    const labels = await patch(owner, { protectedLabels: ['staging', 'production', 'staging'] });
    assert.deepEqual(labels.body, {
      name: 'Test',
      protectedLabels: ['production', 'staging'],
      gatedLabels: [],
      labelRules: {},
      dailyBudget,
    });
    assert.deepEqual(await owner.get('/api/workspace'), labels.body);
    const renamed = await patch(owner, { name: ' Harbor Team ' });
    assert.deepEqual(renamed.body, {
      name: 'Harbor Team',
      protectedLabels: ['production', 'staging'],
      gatedLabels: [],
      labelRules: {},
      dailyBudget,
    });
    assert.equal((await owner.get<{ name: string }>('/api/auth/token')).name, 'Harbor Team');
    assert.deepEqual(await (await newClient(service())).get('/api/workspace'), {
      name: 'Test',
      protectedLabels: [],
      gatedLabels: [],
      labelRules: {},
      dailyBudget,
    });
  });

  it('PATCH /api/workspace: 400: invalid labels, invalid names, and an empty body', async () => {
    const owner = await newClient(service());
    for (const [body, ...paths] of [
      [{}],
      [{ protectedLabels: 'production' }, '/protectedLabels'],
      [{ protectedLabels: ['latest'] }, '/protectedLabels/0'],
      [{ protectedLabels: ['production', 'a\u0000'] }, '/protectedLabels/1'],
      [{ protectedLabels: Array.from({ length: 21 }, (_, index) => `l${index}`) }, '/protectedLabels'],
      [{ name: ' ' }, '/name'],
      [{ name: 'a\u0000' }, '/name'],
      [{ name: 'x'.repeat(101) }, '/name'],
      [{ gatedLabels: ['A'] }, '/gatedLabels/0'],
    ] as [unknown, ...string[]][]) {
      assertRefused(await patch(owner, body), 400, 'invalid_input', ...paths);
    }
    assert.deepEqual(await owner.get('/api/workspace'), {
      name: 'Test',
      protectedLabels: [],
      gatedLabels: [],
      labelRules: {},
      dailyBudget,
    });
  });

  it('PATCH /api/workspace: an admin protects labels, and only the owner changes the name', async () => {
    const owner = await newClient(service());
    const [admin, deployer] = [await newMember(owner, 'admin'), await newMember(owner, 'deployer')];
    const update = (by: Client, change: object) => updateWorkspace(service().ctx, actIn(owner, by, 'admin'), { ...change, client: origin });
    assert.equal(await codeOf(update(deployer, { protectedLabels: [] })), 'forbidden');
    assert.equal(await codeOf(update(admin, { name: 'Mine', protectedLabels: ['production'] })), 'forbidden');
    assert.deepEqual(await owner.get('/api/workspace'), {
      name: 'Test',
      protectedLabels: [],
      gatedLabels: [],
      labelRules: {},
      dailyBudget,
    });
    assert.deepEqual((await update(admin, { protectedLabels: ['production'] })).protectedLabels, ['production']);
  });

  it('GET /api/account/activity: shows the owner and the member who did what, and nothing secret', async () => {
    const owner = await newClient(service());
    const grace = await newClient(service());
    const invited = await invite(owner, 'gone@example.com', 'viewer');
    await owner.call('DELETE', `/api/members/invitations/${invited.id}`);
    const { token } = await invite(owner, grace.email);
    await callFromPage(service(), 'POST', `/api/invitations/${token}/accept`, { cookie: await openBrowser(grace) });
    await owner.call('PATCH', `/api/members/${grace.userId}`, { role: 'admin' });
    await owner.call('PATCH', `/api/members/${grace.userId}`, { role: 'admin' });
    const program = await newServiceAccount(owner);
    await owner.call('POST', `/api/members/${program.userId}/reset-key`);
    await owner.call('DELETE', `/api/members/${program.userId}`);
    await patch(owner, { protectedLabels: ['production'] });
    await patch(owner, { protectedLabels: ['production'] });
    await owner.call('DELETE', `/api/members/${grace.userId}`);
    await service().ctx.recorder.flush();

    const { data } = await owner.get<{ data: Event[] }>('/api/account/activity');
    const person = { userId: grace.userId, name: 'Test' };
    const robot = { userId: program.userId, name: 'A program' };
    assert.deepEqual(
      data.map(({ type, detail }) => [type, detail]),
      [
        ['member_removed', { ...person, role: 'admin' }],
        ['workspace_changed', { protectedLabels: ['production'], previous: { protectedLabels: [] } }],
        ['member_removed', { ...robot, role: 'viewer' }],
        ['service_account_key_reset', robot],
        ['service_account_created', { ...robot, role: 'viewer' }],
        ['member_role_changed', { ...person, role: 'admin', previousRole: 'editor' }],
        ['member_joined', { ...person, role: 'editor' }],
        ['member_invited', { email: grace.email, role: 'editor' }],
        ['invitation_removed', { email: 'gone@example.com', role: 'viewer' }],
        ['member_invited', { email: 'gone@example.com', role: 'viewer' }],
      ],
    );
    for (const { type, by, address } of data) {
      assert.deepEqual(by, { userId: type === 'member_joined' ? grace.userId : owner.userId, name: 'Test' }, type);
      assert.equal(address, '127.0.0.1', type);
      assert.ok(service().logs().includes(`"event":"${type}","account":"${owner.userId}"`), type);
    }
    assert.ok(!JSON.stringify(data).includes(token));
    assert.doesNotMatch(JSON.stringify(data), /ph_[0-9a-f]{64}/);

    const own = (await grace.get<{ data: Event[] }>('/api/account/activity')).data.filter(({ detail }) => detail !== null);
    const workspace = { id: owner.userId, name: 'Test' };
    assert.deepEqual(
      own.map(({ type, by, detail }) => [type, by?.userId, detail]),
      [
        ['removed_from_workspace', owner.userId, { workspace, role: 'admin' }],
        ['role_changed', owner.userId, { workspace, role: 'admin', previousRole: 'editor' }],
        ['invitation_accepted', grace.userId, { workspace, role: 'editor' }],
      ],
    );
    assert.equal(own[0]?.address, null, 'where the admin was is not the member’s business');
  });

  it('DELETE /api/account: 204: a member leaves the workspaces of others, whose activity shows the departure under the member’s name', async () => {
    const owner = await newClient(service());
    const member = await newMember(owner, 'editor');
    const cookie = await openBrowser(member);
    const response = await callFromPage(service(), 'DELETE', '/api/account', { cookie, body: { password: member.password } });
    assert.equal(response.status, 204, response.text);
    assert.deepEqual(await service().ctx.store.memberships.list(owner.userId, { afterId: '', limit: 10 }), []);
    await service().ctx.recorder.flush();
    const { data } = await owner.get<{ data: Event[] }>('/api/account/activity');
    assert.deepEqual([data[0]?.type, data[0]?.by], ['member_left', { userId: member.userId, name: 'Test' }]);
    const events = await service().ctx.store.events.list(owner.userId, { after: 0, limit: 100 });
    const removed = events.filter(({ type }) => type === 'member.removed');
    assert.deepEqual(
      removed.map(({ by, detail }) => [by, JSON.parse(detail)]),
      [[{ userId: member.userId, name: 'Test', via: 'dashboard' }, { member: { userId: member.userId, name: 'Test', role: 'editor' } }]],
    );
  });

  it('DELETE /api/account: 204: the workspace goes with members, invitations and service accounts; others keep their own', async () => {
    const { ctx } = service();
    const owner = await newClient(service());
    const other = await newClient(service());
    const member = await newMember(owner, 'admin');
    const programs = [await newServiceAccount(owner), await newServiceAccount(owner, 'admin')];
    const kept = await newServiceAccount(other);
    const { token } = await invite(owner, 'grace@example.com');
    await ctx.store.changeWorkspace(other.userId, (stores) => stores.memberships.put(other.userId, owner.userId, 'viewer'));
    for (const { token: key } of programs) assert.equal((await call(service(), 'GET', '/api/auth/token', { key })).status, 200);

    const cookie = await openBrowser(owner);
    const response = await callFromPage(service(), 'DELETE', '/api/account', { cookie, body: { password: owner.password } });
    assert.equal(response.status, 204, response.text);
    for (const { token: key, userId } of [owner, ...programs]) {
      assert.equal((await call(service(), 'GET', '/api/auth/token', { key })).status, 401);
      assert.ok((await ctx.store.accounts.listDeletedSince(new Date(0))).includes(userId));
    }
    assertRefused(await call(service(), 'GET', `/api/invitations/${token}`), 404, 'invitation_not_found');
    assert.deepEqual(await ctx.store.memberships.listOf([owner.userId, member.userId, ...programs.map(({ userId }) => userId)]), []);
    const update = updateWorkspace(ctx, actIn(owner, member, 'admin'), { protectedLabels: [], client: origin });
    assert.equal(await codeOf(update), 'workspace_not_found');
    for (const key of [member.token, other.token, kept.token]) {
      assert.equal((await call(service(), 'GET', '/api/auth/token', { key })).status, 200);
    }
    await ctx.background.drain(60_000);
    assert.equal(await ctx.store.accounts.findDeleted(), undefined, 'nothing is left of any of them');
    const left = await ctx.store.memberships.list(other.userId, { afterId: '', limit: 10 });
    assert.deepEqual(
      left.map(({ userId }) => userId),
      [kept.userId],
    );
  });
});
