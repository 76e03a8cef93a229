import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deleteAccount, getAccount, renameAccount } from '../../../src/domain/accounts/accounts.ts';
import { listActivity } from '../../../src/domain/accounts/activity.ts';
import { resetKey } from '../../../src/domain/accounts/keys.ts';
import { removeMember } from '../../../src/domain/workspaces/members.ts';
import { callFromPage } from '../../support/browser.ts';
import { call } from '../../support/client.ts';
import { actIn, codeOf, type MemberListBody, newMember, newServiceAccount, origin } from '../../support/members.ts';
import { assertRefused, type Client, describeOnEveryEngine, newClient } from '../../support/prompts.ts';

describeOnEveryEngine('Service accounts', (service) => {
  const verify = (key: string) => call(service(), 'GET', '/api/auth/token', { key });
  const emailOf = ({ userId }: { userId: string }) => `${userId}@service.invalid`;
  const findIn = async (owner: Client, { userId }: { userId: string }) =>
    (await owner.get<MemberListBody>('/api/members')).data.find((member) => member.userId === userId);
  /** A service account always acts in its home workspace, with or without the header. */
  const actAs = (owner: Client, { userId, token }: { userId: string; token: string }, role: 'viewer' | 'admin' = 'viewer') =>
    actIn(owner, { userId, token, email: emailOf({ userId }) }, role);

  it('POST /api/members/service-accounts: 201: a key that verifies, shown once and not cached', async () => {
    const owner = await newClient(service());
    const response = await owner.call('POST', '/api/members/service-accounts', { name: ' Checkout ', role: 'deployer' });
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const { userId, token, ...rest } = response.body as { userId: string; token: string };
    assert.deepEqual(rest, { name: 'Checkout', role: 'deployer' });
    assert.deepEqual((await verify(token)).body, { token, userId, email: emailOf({ userId }), name: 'Checkout' });

    await service().ctx.recorder.flush();
    const { joinedAt, keyCreatedAt, keyLastUsedAt, ...shown } = (await findIn(owner, { userId })) ?? { joinedAt: '' };
    assert.deepEqual(shown, { userId, name: 'Checkout', email: null, kind: 'service', role: 'deployer' });
    for (const time of [joinedAt, keyCreatedAt, keyLastUsedAt]) assert.equal(new Date(time ?? '').toISOString(), time);
    assert.ok(!JSON.stringify(await owner.get('/api/members')).includes(token));
    assert.ok(!service().logs().includes(token));
  });

  it('POST /api/members/service-accounts: 400: invalid names and roles', async () => {
    const owner = await newClient(service());
    for (const [body, path] of [
      [{ name: 'x', role: 'owner' }, '/role'],
      [{ name: 'x' }, '/role'],
      [{ name: '  ', role: 'viewer' }, '/name'],
      [{ name: 'a\u0000b', role: 'viewer' }, '/name'],
      [{ name: 'x'.repeat(101), role: 'viewer' }, '/name'],
      [{ name: 7, role: 'viewer' }, '/name'],
      [{ name: 'x', role: 'viewer', token: `ph_${'0'.repeat(64)}` }, '/token'],
    ] as const) {
      assertRefused(await owner.call('POST', '/api/members/service-accounts', body), 400, 'invalid_input', path);
    }
    assert.equal((await owner.get<MemberListBody>('/api/members')).data.length, 1);
  });

  it('DELETE /api/auth/token: 200: the key resets itself, which the owner of the workspace sees', async () => {
    const owner = await newClient(service());
    const program = await newServiceAccount(owner);
    const reset = await call(service(), 'DELETE', '/api/auth/token', { key: program.token });
    assert.equal(reset.status, 200);
    assert.equal((await verify(program.token)).status, 401);
    const { token } = reset.body as { token: string };
    assert.equal((await verify(token)).status, 200);
    await resetKey(service().ctx, actAs(owner, { ...program, token }), origin);
    await service().ctx.recorder.flush();
    const { data } = await owner.get<{ data: { type: string; by: { userId: string } }[] }>('/api/account/activity');
    assert.deepEqual([data[0]?.type, data[0]?.by.userId], ['service_account_key_reset', program.userId]);
  });

  it('cannot sign in, reset a password or open a session, and nobody can register in its name', async () => {
    const owner = await newClient(service());
    const email = emailOf(await newServiceAccount(owner, 'admin'));
    const unknown = 'u_0_0@service.invalid';
    for (const password of ['', 'a long enough password']) {
      for (const path of ['/api/auth/token', '/api/session/sign-in/email']) {
        const [known, other] = await Promise.all(
          [email, unknown].map((address) => callFromPage(service(), 'POST', path, { body: { email: address, password } })),
        );
        assert.equal(known?.status, 401, path);
        assert.equal(known?.text, other?.text, 'like an email without an account');
      }
    }
    const registered = await call(service(), 'POST', '/api/auth/register', { body: { email, password: 'a long enough password' } });
    assertRefused(registered, 400, 'invalid_input', '/email');
    assert.equal((await callFromPage(service(), 'POST', '/api/session/forgot-password', { body: { email } })).status, 400);
    await service().ctx.background.drain(60_000);
    assert.ok(!service().logs().includes('/reset?token='), 'there is no link');
    const { accounts } = service().ctx.store;
    assert.equal(await accounts.findByEmail(email), undefined);
    assert.equal(await accounts.findForSignIn(email, '127.0.0.1'), undefined);
  });

  it('403: has no account endpoints beyond its key', async () => {
    const { ctx } = service();
    const owner = await newClient(service());
    const program = await newServiceAccount(owner, 'admin');
    const actor = actAs(owner, program, 'admin');
    assert.equal(await codeOf(getAccount(ctx, actor)), 'forbidden');
    assert.equal(await codeOf(renameAccount(ctx, actor, { name: 'New', client: origin })), 'forbidden');
    assert.equal(await codeOf(listActivity(ctx, actor, {})), 'forbidden');
    assert.equal(await codeOf(deleteAccount(ctx, actor, { password: '', client: origin })), 'invalid_credentials');
    assert.equal((await verify(program.token)).status, 200);
    assert.equal((await findIn(owner, program))?.name, 'A program');
  });

  it('POST /api/members/{userId}/reset-key: 200: the old key stops working immediately, even if the caller does not know it; of another account: 404', async () => {
    const owner = await newClient(service());
    const [program, stranger] = [await newServiceAccount(owner), await newServiceAccount(await newClient(service()))];
    const member = await newMember(owner, 'viewer');
    assert.equal((await verify(program.token)).status, 200);
    const response = await owner.call('POST', `/api/members/${program.userId}/reset-key`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const { token } = response.body as { token: string };
    assert.equal((await verify(program.token)).status, 401);
    assert.equal((await verify(token)).status, 200);
    for (const userId of [stranger.userId, member.userId, owner.userId, 'u_unknown', '%00']) {
      assertRefused(await owner.call('POST', `/api/members/${userId}/reset-key`), 404, 'member_not_found');
    }
    for (const key of [stranger.token, member.token, owner.token]) assert.equal((await verify(key)).status, 200);
  });

  it('DELETE /api/members/{userId}: 204: deletes it with its key; it cannot delete itself unless it is an admin', async () => {
    const { ctx } = service();
    const owner = await newClient(service());
    const [program, own] = [await newServiceAccount(owner), await newServiceAccount(owner, 'admin')];
    const removeItself = (actor: ReturnType<typeof actAs>) => removeMember(ctx, actor, { userId: actor.accountId, client: origin });
    assert.equal(await codeOf(removeItself(actAs(owner, program))), 'forbidden');
    await removeItself(actAs(owner, own, 'admin'));
    assert.equal((await verify(own.token)).status, 401);
    assert.equal((await owner.call('DELETE', `/api/members/${program.userId}`)).status, 204);
    assert.equal((await verify(program.token)).status, 401);
    assert.equal((await owner.get<MemberListBody>('/api/members')).data.length, 1);
    assertRefused(await owner.call('POST', `/api/members/${program.userId}/reset-key`), 404, 'member_not_found');
    await ctx.background.drain(60_000);
    assert.ok((await ctx.store.accounts.listDeletedSince(new Date(0))).includes(program.userId));
    assert.equal(await ctx.store.accounts.findDeleted(), undefined, 'its rows are removed too');
  });
});
