import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deleteAccount } from '../../../src/domain/accounts/accounts.ts';
import { invitationLimits } from '../../../src/domain/accounts/attempt-limits.ts';
import { countAttempt } from '../../../src/domain/accounts/throttles.ts';
import { sweep } from '../../../src/domain/housekeeping.ts';
import { digestToken } from '../../../src/domain/secrets/tokens.ts';
import { acceptInvitation, inviteMember, removeInvitation } from '../../../src/domain/workspaces/invitations.ts';
import { callFromPage } from '../../support/browser.ts';
import { call } from '../../support/client.ts';
import { freezeClock } from '../../support/clock.ts';
import {
  actIn,
  asOwner,
  codeOf,
  insertInvitation,
  invite,
  type MemberListBody,
  newMember,
  openBrowser,
  origin,
} from '../../support/members.ts';
import { assertRefused, type Client, describeOnEveryEngine, newClient } from '../../support/prompts.ts';

const dayMs = 24 * 60 * 60 * 1000;

describeOnEveryEngine('Invitations', (service) => {
  const membersOf = (owner: Client) => owner.get<MemberListBody>('/api/members');
  const rolesOf = async (owner: Client) =>
    Object.fromEntries((await membersOf(owner)).data.map(({ userId, role }) => [userId, role])) as Record<string, string>;
  const accept = (cookie: string, token: string) => callFromPage(service(), 'POST', `/api/invitations/${token}/accept`, { cookie });
  const look = (token: string) => call(service(), 'GET', `/api/invitations/${encodeURIComponent(token)}`);
  /** Accepts the invitation as the route would, without an expensive sign-in. */
  const acceptAs = (member: Client, token: string) =>
    acceptInvitation(service().ctx, actIn(member, member, 'owner'), { token, client: origin });

  it('POST /api/members/invitations: 201: a link on our own origin, for 7 days, of which only the digest is stored', async () => {
    const owner = await newClient(service());
    const { url, token, email, role, mailed, createdAt, expiresAt, invitedBy } = await invite(owner, ' Grace@Example.com ', 'deployer');
    assert.equal(url, `${service().url}/invitations/${token}`);
    assert.match(token, /^[\w-]{43}$/);
    assert.deepEqual([email, role, mailed], ['grace@example.com', 'deployer', false]);
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 7 * dayMs);
    assert.deepEqual(invitedBy, { userId: owner.userId, name: 'Test' });
    const { invitations } = service().ctx.store;
    assert.equal(await invitations.findByToken(token), undefined, 'the token itself is not stored');
    assert.equal((await invitations.findByToken(digestToken(token)))?.email, email);
    const listed = await membersOf(owner);
    assert.equal(listed.invitations.length, 1);
    assert.ok(!JSON.stringify(listed).includes(token), 'the link is not shown again');
    assert.ok(!service().logs().includes(token), 'nor logged');
  });

  it('POST /api/members/invitations: 201: inviting the same email again replaces the link and the role', async () => {
    const owner = await newClient(service());
    const first = await invite(owner, 'grace@example.com', 'viewer');
    const second = await invite(owner, 'GRACE@example.com', 'admin');
    assertRefused(await look(first.token), 404, 'invitation_not_found');
    assert.equal((await look(second.token)).status, 200);
    const { invitations } = await membersOf(owner);
    assert.deepEqual(
      invitations.map(({ id, role }) => [id, role]),
      [[second.id, 'admin']],
    );
  });

  it('POST /api/members/invitations: 400 and 409: emails and roles that cannot be invited', async () => {
    const owner = await newClient(service());
    const member = await newMember(owner, 'viewer');
    const post = (body: unknown) => owner.call('POST', '/api/members/invitations', body);
    for (const [body, path] of [
      [{ email: 'no address', role: 'viewer' }, '/email'],
      [{ email: 'a\u0000@example.com', role: 'viewer' }, '/email'],
      [{ email: `${owner.userId}@service.invalid`, role: 'viewer' }, '/email'],
      [{ email: `${'a'.repeat(300)}@example.com`, role: 'viewer' }, '/email'],
      [{ email: 'grace@example.com', role: 'owner' }, '/role'],
      [{ email: 'grace@example.com', role: ['admin'] }, '/role'],
      [{ email: 'grace@example.com' }, '/role'],
      [{ email: 'grace@example.com', role: 'viewer', url: 'https://evil.example' }, '/url'],
    ] as const) {
      assertRefused(await post(body), 400, 'invalid_input', path);
    }
    for (const { email } of [owner, member]) assertRefused(await post({ email, role: 'admin' }), 409, 'already_member');
    assert.deepEqual((await membersOf(owner)).invitations, []);
  });

  it('GET /api/invitations/{token}: 200: says the same whether or not the email has an account', async () => {
    const owner = await newClient(service());
    const known = await newClient(service());
    const bodies = [];
    for (const email of [known.email, 'nobody@example.com']) {
      const response = await look((await invite(owner, email)).token);
      assert.equal(response.status, 200);
      const { email: shown, expiresAt, ...rest } = response.body as Record<string, unknown>;
      assert.equal(shown, email);
      assert.ok(Date.parse(String(expiresAt)) > Date.now());
      bodies.push(rest);
    }
    assert.deepEqual(bodies[0], bodies[1]);
    assert.deepEqual(bodies[0], { workspace: { name: 'Test', kind: 'personal' }, invitedBy: { name: 'Test' }, role: 'editor' });
  });

  it('POST /api/invitations/{token}/accept: 200 once, with the session of the invited account', async () => {
    const owner = await newClient(service());
    const grace = await newClient(service());
    const stranger = await newClient(service());
    const { token, id } = await invite(owner, grace.email);
    const path = `/api/invitations/${token}/accept`;

    const wrong = assertRefused(await accept(await openBrowser(stranger), token), 403, 'invitation_for_another_account');
    assert.equal(wrong.error, `This invitation is for ${grace.email}. You are signed in as ${stranger.email}.`);
    assert.equal((await grace.call('POST', path)).status, 401, 'not with a key');
    const cookie = await openBrowser(grace);
    const foreign = await call(service(), 'POST', path, { cookie, headers: { origin: 'https://evil.example' } });
    assertRefused(foreign, 403, 'cross_origin');
    assert.deepEqual(await rolesOf(owner), { [owner.userId]: 'owner' });

    const accepted = await accept(cookie, token);
    assert.equal(accepted.status, 200, accepted.text);
    assert.deepEqual(accepted.body, { workspace: { id: owner.userId, name: 'Test', kind: 'personal' }, role: 'editor' });
    assert.deepEqual(await rolesOf(owner), { [owner.userId]: 'owner', [grace.userId]: 'editor' });
    assert.deepEqual((await membersOf(owner)).invitations, []);
    assertRefused(await accept(cookie, token), 404, 'invitation_not_found');
    assertRefused(await owner.call('DELETE', `/api/members/invitations/${id}`), 404, 'not_found');
  });

  it('POST /api/invitations/{token}/accept: of 8 concurrent requests, exactly one succeeds', async () => {
    const owner = await newClient(service());
    const grace = await newClient(service());
    const { token } = await invite(owner, grace.email);
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(acceptAs(grace, token))));
    assert.deepEqual(codes.sort(), [...Array<string>(7).fill('invitation_not_found'), undefined]);
    assert.deepEqual(await rolesOf(owner), { [owner.userId]: 'owner', [grace.userId]: 'editor' });
  });

  it('POST /api/invitations/{token}/accept: a member keeps the larger role, and the invitation is used up', async () => {
    const owner = await newClient(service());
    for (const [before, invited, after] of [
      ['admin', 'viewer', 'admin'],
      ['viewer', 'deployer', 'deployer'],
    ] as const) {
      const member = await newMember(owner, before);
      const token = await insertInvitation(service(), { workspaceId: owner.userId, email: member.email, role: invited });
      assert.equal((await acceptAs(member, token)).accepted.role, after);
      assert.equal((await rolesOf(owner))[member.userId], after);
      assertRefused(await look(token), 404, 'invitation_not_found');
    }
  });

  it('POST /api/invitations/{token}/accept: 409: the owner does not become a member', async () => {
    const owner = await newClient(service());
    const token = await insertInvitation(service(), { workspaceId: owner.userId, email: owner.email, role: 'viewer' });
    assert.equal(await codeOf(acceptAs(owner, token)), 'already_member');
    assert.deepEqual(await rolesOf(owner), { [owner.userId]: 'owner' });
  });

  it('DELETE /api/members/invitations/{id}: 204: the link stops working; if it is accepted at the same time, one of the two succeeds', async () => {
    const owner = await newClient(service());
    for (let round = 0; round < 5; round += 1) {
      const grace = await newClient(service());
      const { id, token } = await invite(owner, grace.email);
      const remove = () => removeInvitation(service().ctx, asOwner(owner), { id, client: origin });
      const [accepted, removed] = await Promise.all([codeOf(acceptAs(grace, token)), codeOf(remove())]);
      assert.deepEqual([accepted, removed].filter((code) => code === undefined).length, 1, `${accepted}, ${removed}`);
      assert.equal((await rolesOf(owner))[grace.userId], accepted === undefined ? 'editor' : undefined);
      assertRefused(await look(token), 404, 'invitation_not_found');
    }
    for (const id of ['i_unknown', '%00', 'x'.repeat(300)]) {
      assert.equal((await owner.call('DELETE', `/api/members/invitations/${id}`)).status, 404, id);
    }
    const other = await newClient(service());
    const { id } = await invite(other, 'grace@example.com');
    assertRefused(await owner.call('DELETE', `/api/members/invitations/${id}`), 404, 'not_found');
  });

  it('a workspace or an account that is deleted while an invitation is accepted leaves no membership', async () => {
    const { store } = service().ctx;
    for (const deleted of ['owner', 'member'] as const) {
      for (let round = 0; round < 5; round += 1) {
        const owner = await newClient(service());
        const grace = await newClient(service());
        const { token } = await invite(owner, grace.email);
        const { userId } = deleted === 'owner' ? owner : grace;
        await Promise.all([codeOf(acceptAs(grace, token)), store.accounts.delete(userId)]);
        assert.equal(await store.memberships.findRole(owner.userId, grace.userId), undefined, deleted);
        if (deleted === 'owner') assertRefused(await look(token), 404, 'invitation_not_found');
        else assert.equal((await grace.call('GET', '/api/auth/token')).status, 401);
      }
    }
  });

  it('after 7 days the link is dead, does not count as open, and is deleted by the housekeeping', async (t) => {
    const owner = await newClient(service());
    const grace = await newClient(service());
    const clock = freezeClock(t);
    const { token } = await invite(owner, grace.email);
    const kept = await invite(owner, 'kept@example.com');
    clock.advance(7 * dayMs - 1);
    assert.equal((await look(token)).status, 200);
    clock.advance(1);
    assertRefused(await look(token), 404, 'invitation_not_found');
    assert.equal(await codeOf(acceptAs(grace, token)), 'invitation_not_found');
    assert.deepEqual((await membersOf(owner)).invitations, []);
    const again = await invite(owner, grace.email);
    clock.advance(1);
    await sweep(service().ctx);
    assert.equal((await look(again.token)).status, 200, 'one that is open stays');
    t.mock.timers.reset();
    assertRefused(await look(kept.token), 404, 'invitation_not_found');
  });

  it('invitations of someone who is no longer an admin end: removed, demoted or deleted', async () => {
    const { ctx } = service();
    const owner = await newClient(service());
    const kept = await invite(owner, 'kept@example.com');
    for (const [end, run] of [
      ['removed', (userId: string) => owner.call('DELETE', `/api/members/${userId}`)],
      ['demoted', (userId: string) => owner.call('PATCH', `/api/members/${userId}`, { role: 'deployer' })],
      ['deleted', (userId: string) => ctx.store.accounts.delete(userId)],
    ] as const) {
      const admin = await newMember(owner, 'admin');
      const request = { email: `${end}@example.com`, role: 'admin' as const, origin: service().url, client: origin };
      const { url } = await inviteMember(ctx, actIn(owner, admin, 'admin'), request);
      const token = url.split('/').at(-1) ?? '';
      assert.equal((await look(token)).status, 200);
      await run(admin.userId);
      assertRefused(await look(token), 404, 'invitation_not_found');
    }
    assert.equal((await look(kept.token)).status, 200, 'those of others stay');
  });

  it('DELETE /api/account: the password is asked before anything happens to the workspace', async () => {
    const owner = await newClient(service());
    const member = await newMember(owner, 'viewer');
    const actor = asOwner(owner);
    assert.equal(await codeOf(deleteAccount(service().ctx, actor, { password: 'wrong', client: origin })), 'invalid_credentials');
    assert.equal((await rolesOf(owner))[member.userId], 'viewer');
  });
});

describeOnEveryEngine('Limits of invitations', (service) => {
  const forget = () => service().ctx.store.deleteBefore('throttles', new Date('9999-12-31'));

  it('429: guessed links, with Retry-After, including for registration; from then on, even a valid link is refused', async () => {
    const owner = await newClient(service());
    const { token } = await invite(owner, 'grace@example.com');
    const look = (guess: string) => call(service(), 'GET', `/api/invitations/${guess}`);
    for (let guess = 0; guess < 50; guess += 1) assertRefused(await look(`guess-${guess}`), 404, 'invitation_not_found');
    const refused = await look(token);
    assertRefused(refused, 429, 'too_many_attempts');
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    const body = { email: 'grace@example.com', password: 'a long enough password', invitation: token };
    assertRefused(await call(service(), 'POST', '/api/auth/register', { body }), 429, 'too_many_attempts');
    await forget();
    assert.equal((await look(token)).status, 200);
  });

  it('429: a workspace sends at most 200 invitations without a wait, however often it replaces them', async () => {
    const [owner, other] = [await newClient(service()), await newClient(service())];
    for (let count = 0; count < 199; count += 1) await countAttempt(service().ctx, invitationLimits(owner.userId));
    await invite(owner, 'grace@example.com');
    const refused = await owner.call('POST', '/api/members/invitations', { email: 'grace@example.com', role: 'viewer' });
    assertRefused(refused, 429, 'too_many_attempts');
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    await invite(other, 'grace@example.com');
  });
});
