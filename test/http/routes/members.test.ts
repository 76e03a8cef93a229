import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeMember, listMembers, removeMember } from '../../../src/domain/workspaces/members.ts';
import { engines } from '../../support/engines.ts';
import {
  actIn,
  codeOf,
  insertInvitation,
  invite,
  type MemberListBody,
  newMember,
  newServiceAccount,
  origin,
} from '../../support/members.ts';
import { assertRefused, type Client, clientOf, describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { startService } from '../../support/service.ts';

describeOnEveryEngine('Members', (service) => {
  const membersOf = (owner: Client, query = '') => owner.get<MemberListBody>(`/api/members${query}`);
  const roleOf = (owner: Client, { userId }: { userId: string }) => service().ctx.store.memberships.findRole(owner.userId, userId);
  const change = (owner: Client, by: Client, { userId }: { userId: string }, role: 'viewer' | 'admin') =>
    changeMember(service().ctx, actIn(owner, by, 'admin'), { userId, role, client: origin });
  const remove = (owner: Client, by: Client, { userId }: { userId: string }, role: 'viewer' | 'admin') =>
    removeMember(service().ctx, actIn(owner, by, role), { userId, client: origin });

  it('GET /api/members: 200: a new workspace has its owner alone', async () => {
    const owner = await newClient(service());
    const { data, invitations, nextCursor } = await membersOf(owner);
    const { joinedAt, ...rest } = data[0] ?? { joinedAt: '' };
    assert.deepEqual([data.length, invitations, nextCursor], [1, [], null]);
    assert.deepEqual(rest, { userId: owner.userId, name: 'Test', email: owner.email, kind: 'person', role: 'owner' });
    assert.equal(new Date(joinedAt).toISOString(), joinedAt);
  });

  it('GET /api/members: 200: pages hold everyone once, the owner first, invitations last, and nobody of another workspace', async () => {
    const owner = await newClient(service());
    const other = await newClient(service());
    await newMember(other, 'admin');
    await invite(other, 'other@example.com');
    const members = [await newMember(owner, 'viewer'), await newMember(owner, 'admin'), await newServiceAccount(owner)];
    const invitations = [await invite(owner, 'a@example.com'), await invite(owner, 'b@example.com')];
    const expected = [owner.userId, ...members.map(({ userId }) => userId).sort(), ...invitations.map(({ id }) => id)];
    for (const limit of [1, 2, 3, 4, 5, 6, 100]) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: MemberListBody = await membersOf(owner, `?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        assert.ok(page.data.length + page.invitations.length <= limit);
        seen.push(...page.data.map(({ userId }) => userId), ...page.invitations.map(({ id }) => id));
        cursor = page.nextCursor;
        assert.ok(seen.length <= expected.length);
      }
      assert.deepEqual(seen, expected, `limit ${limit}`);
    }
    const viewer = actIn(owner, members[0] as Client, 'viewer');
    const shown = await listMembers(service().ctx, viewer, {});
    assert.deepEqual([shown.data.length, shown.invitations], [4, []], 'open invitations are for admins');
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'cursor=%00', 'search=x']) {
      assertRefused(await owner.call('GET', `/api/members?${query}`), 400, 'invalid_input');
    }
    const cursor = Buffer.from(JSON.stringify(['members', 'other', ''])).toString('base64url');
    assertRefused(await owner.call('GET', `/api/members?cursor=${cursor}`), 400, 'invalid_input');
  });

  it('PATCH /api/members/{userId}: 200: changes the role, even of a service account; the revision increases', async () => {
    const owner = await newClient(service());
    const { keys } = service().ctx.store;
    for (const member of [await newMember(owner, 'viewer'), await newServiceAccount(owner)]) {
      const before = await keys.findAccount(owner.token);
      const response = await owner.call('PATCH', `/api/members/${member.userId}`, { role: 'deployer' });
      assert.equal(response.status, 200, response.text);
      assert.equal((response.body as { role: string }).role, 'deployer');
      assert.equal(await roleOf(owner, member), 'deployer');
      const after = await keys.findAccount(owner.token);
      assert.ok(before && after && after.revision > before.revision);
    }
  });

  it('PATCH, DELETE /api/members/{userId}: 400, 403, 404: invalid roles, the owner, and accounts that are not members', async () => {
    const [owner, other] = [await newClient(service()), await newClient(service())];
    const stranger = await newMember(other, 'viewer');
    const member = await newMember(owner, 'viewer');
    for (const body of [{ role: 'owner' }, { role: 'Admin' }, { role: null }, {}, { role: 'viewer', userId: 'x' }]) {
      assertRefused(await owner.call('PATCH', `/api/members/${member.userId}`, body), 400, 'invalid_input');
    }
    for (const userId of [stranger.userId, other.userId, 'u_unknown', '%00', 'x'.repeat(2000)]) {
      const changed = await owner.call('PATCH', `/api/members/${userId}`, { role: 'admin' });
      assertRefused(changed, 404, 'member_not_found');
      assertRefused(await owner.call('DELETE', `/api/members/${userId}`), 404, 'member_not_found');
    }
    assertRefused(await owner.call('PATCH', `/api/members/${owner.userId}`, { role: 'admin' }), 403, 'forbidden');
    assert.match(assertRefused(await owner.call('DELETE', `/api/members/${owner.userId}`), 403, 'forbidden').error, /delete your account/);
    const admin = await newMember(owner, 'admin');
    assert.equal(await codeOf(change(owner, admin, owner, 'viewer')), 'forbidden');
    assert.equal(await codeOf(remove(owner, admin, owner, 'admin')), 'forbidden');
    assert.equal(await roleOf(owner, owner), undefined, 'the owner never becomes a member');
    assert.equal(await roleOf(other, stranger), 'viewer');
  });

  it('DELETE /api/members/{userId}: 204: a member is removed and can be invited again; their own workspace stays', async () => {
    const owner = await newClient(service());
    const member = await newMember(owner, 'editor');
    assert.equal((await owner.call('DELETE', `/api/members/${member.userId}`)).status, 204);
    assert.equal(await roleOf(owner, member), undefined);
    assertRefused(await owner.call('DELETE', `/api/members/${member.userId}`), 404, 'member_not_found');
    assert.equal((await member.call('GET', '/api/account')).status, 200);
    await invite(owner, member.email);
  });

  it('everyone may leave, only admins remove others, and an admin may demote themselves', async () => {
    const owner = await newClient(service());
    const [viewer, bystander, admin] = [
      await newMember(owner, 'viewer'),
      await newMember(owner, 'viewer'),
      await newMember(owner, 'admin'),
    ];
    assert.equal(await codeOf(remove(owner, viewer, bystander, 'viewer')), 'forbidden');
    assert.equal(await codeOf(change(owner, viewer, viewer, 'admin')), 'forbidden', 'the role is the one in the database');
    await remove(owner, viewer, viewer, 'viewer');
    assert.equal(await roleOf(owner, viewer), undefined);
    assert.equal(await codeOf(remove(owner, viewer, viewer, 'viewer')), 'workspace_not_found', 'no longer a member');
    await change(owner, admin, admin, 'viewer');
    assert.equal(await roleOf(owner, admin), 'viewer');
    assert.equal(await codeOf(remove(owner, admin, bystander, 'admin')), 'forbidden');
    assert.equal(await roleOf(owner, bystander), 'viewer');
  });

  it('of two admins who demote or remove each other at once, exactly one succeeds', async () => {
    const owner = await newClient(service());
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await newMember(owner, 'admin'), await newMember(owner, 'admin')];
      const demoted = await Promise.all([codeOf(change(owner, a, b, 'viewer')), codeOf(change(owner, b, a, 'viewer'))]);
      assert.deepEqual(demoted.sort(), ['forbidden', undefined]);
      assert.deepEqual([await roleOf(owner, a), await roleOf(owner, b)].sort(), ['admin', 'viewer']);

      const [c, d] = [await newMember(owner, 'admin'), await newMember(owner, 'admin')];
      const removed = await Promise.all([codeOf(remove(owner, c, d, 'admin')), codeOf(remove(owner, d, c, 'admin'))]);
      assert.deepEqual(removed.sort(), ['workspace_not_found', undefined]);
      assert.deepEqual([await roleOf(owner, c), await roleOf(owner, d)].sort(), ['admin', undefined]);
    }
  });
});

for (const engine of engines) {
  describe(`The quota of members (${engine.name})`, () => {
    it('403: members, service accounts and open invitations count together, even when many are invited at once', async (t) => {
      const service = await startService({ engine, env: { QUOTA_MEMBERS: '5' } });
      t.after(() => service.close());
      const owner = await newClient(service);
      const other = await newClient(service);
      await newMember(owner, 'viewer');
      await newServiceAccount(owner);
      await insertInvitation(service, { workspaceId: owner.userId, email: 'late@example.com', expiresAt: new Date(0) });
      const inviteOne = (email: string) => owner.call('POST', '/api/members/invitations', { email, role: 'viewer' });
      const responses = await Promise.all(Array.from({ length: 12 }, (_, index) => inviteOne(`a${index}@example.com`)));
      const refused = responses.filter(({ status }) => status !== 201);
      assert.equal(refused.length, 9, 'one that has expired does not count');
      for (const response of refused) assert.match(assertRefused(response, 403, 'quota_exceeded').error, /at most 5 .*QUOTA_MEMBERS/);
      const created = await owner.call('POST', '/api/members/service-accounts', { name: 'One more', role: 'viewer' });
      assertRefused(created, 403, 'quota_exceeded');

      const open = (responses.find(({ status }) => status === 201)?.body ?? {}) as { id: string; email: string };
      assert.equal((await inviteOne(open.email)).status, 201, 'a new link takes the place of the old one');
      assertRefused(await inviteOne('late@example.com'), 403, 'quota_exceeded');
      await invite(other, 'a1@example.com');
      const { invitations } = await owner.get<MemberListBody>('/api/members');
      assert.equal((await owner.call('DELETE', `/api/members/invitations/${invitations[0]?.id}`)).status, 204);
      assert.equal((await inviteOne('late@example.com')).status, 201);
    });

    it('the owner does not count, neither in a team nor in a personal workspace', async (t) => {
      const service = await startService({ engine, env: { QUOTA_MEMBERS: '1' } });
      t.after(() => service.close());
      const owner = await newClient(service);
      const { id } = (await owner.call('POST', '/api/workspaces', { name: 'Support' })).body as { id: string };
      for (const workspaceId of [owner.userId, id]) {
        const as = clientOf(service, owner, { headers: { 'promptharbor-workspace': workspaceId } });
        const inviteOne = (email: string) => as.call('POST', '/api/members/invitations', { email, role: 'viewer' });
        assert.equal((await inviteOne('a@example.com')).status, 201);
        assertRefused(await inviteOne('b@example.com'), 403, 'quota_exceeded');
      }
    });
  });
}
