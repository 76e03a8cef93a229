import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { resetPassword } from '../../../src/domain/accounts/accounts.ts';
import { callFromPage, codeOf, isSignedIn } from '../../support/browser.ts';
import { call, cookieOf, register, signIn, type TestAccount } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { newestLink } from '../../support/links.ts';
import { type Service, startService } from '../../support/service.ts';
import { type Squatter, squat } from '../../support/squatter.ts';

const newPassword = 'a quite different password';

for (const engine of engines) {
  describe(`The first proof of an email address (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    const reset = async (account: TestAccount, password = newPassword) => {
      const requested = await callFromPage(service, 'POST', '/api/session/forgot-password', { body: { email: account.email } });
      assert.equal(requested.status, 202, requested.text);
      const token = await newestLink(service, account, 'reset');
      return callFromPage(service, 'POST', '/api/session/reset-password', { body: { token, newPassword: password } });
    };

    async function assertEnded({ keys, cookies, memberKey, account }: Squatter): Promise<void> {
      for (const key of keys) assert.equal((await call(service, 'GET', '/api/auth/token', { key })).status, 401);
      for (const cookie of cookies) assert.equal(await isSignedIn(service, cookie), false);
      const headers = { 'PromptHarbor-Workspace': account.userId };
      assert.equal((await call(service, 'GET', '/api/prompts', { key: memberKey, headers })).status, 404, 'the member has no access');
    }

    /** Asserts that the squatter has left nothing behind when the owner signs in with only the password. */
    async function assertClean(squatter: Squatter, cookie: string): Promise<void> {
      const read = async (path: string) => (await call(service, 'GET', path, { cookie })).body;
      const { emailVerified, twoFactor } = (await read('/api/account')) as { emailVerified: boolean; twoFactor: boolean };
      assert.deepEqual({ emailVerified, twoFactor }, { emailVerified: true, twoFactor: false });
      const { token } = (await read('/api/auth/token')) as { token: string };
      assert.ok(!squatter.keys.includes(token));
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 200);
      const members = (await read('/api/members')) as { data: { userId: string }[]; invitations: unknown[] };
      assert.deepEqual([members.data.map(({ userId }) => userId), members.invitations], [[squatter.account.userId], []]);
      const [webhook] = ((await read('/api/webhooks')) as { data: { enabled: boolean; disabledReason: string }[] }).data;
      assert.equal(webhook?.enabled, false);
      assert.match(webhook?.disabledReason ?? '', /enable it again/);
      assert.equal(((await read('/api/prompts')) as { data: unknown[] }).data.length, 1, 'prompts stay');
      assert.equal(((await read('/api/session/list')) as { data: unknown[] }).data.length, 1);
    }

    it('ASVS 6.3.7, 6.4.3: a reset link ends the key, sessions, second factor, members, service accounts, invitations and webhooks', async () => {
      const squatter = await squat(service);
      assert.equal((await reset(squatter.account)).status, 204);
      await assertEnded(squatter);
      await assertClean(squatter, await signIn(service, { ...squatter.account, password: newPassword }));
      const invitation = await call(service, 'GET', `/api/invitations/${squatter.invitation}`);
      assert.equal(invitation.status, 404);
    });

    it('ASVS 6.3.7: an accepted invitation ends them too, and the browser that accepted continues with a new session', async () => {
      const squatter = await squat(service, { twoFactor: false });
      const company = await register(service);
      const cookie = await signIn(service, squatter.account);
      const body = { email: squatter.account.email, role: 'editor' };
      const invited = await call(service, 'POST', '/api/members/invitations', { key: company.token, body });
      const token = (invited.body as { url: string }).url.split('/').at(-1);
      const accepted = await callFromPage(service, 'POST', `/api/invitations/${token}/accept`, { cookie });
      assert.equal(accepted.status, 200, accepted.text);
      await assertEnded({ ...squatter, cookies: [...squatter.cookies, cookie] });
      const headers = { 'PromptHarbor-Workspace': company.userId };
      for (const key of squatter.keys) assert.equal((await call(service, 'GET', '/api/prompts', { key, headers })).status, 401);
      assert.equal((await call(service, 'GET', '/api/prompts', { cookie: cookieOf(accepted), headers })).status, 200);
    });

    it('ASVS 6.3.7: an invitation link that the inviter sees does not verify the address: the owner’s reset link still revokes all access', async () => {
      const squatter = await squat(service, { twoFactor: false });
      const accomplice = await register(service);
      const cookie = await signIn(service, squatter.account);
      const body = { email: squatter.account.email, role: 'viewer' };
      const invited = await call(service, 'POST', '/api/members/invitations', { key: accomplice.token, body });
      const token = (invited.body as { url: string }).url.split('/').at(-1);
      const accepted = await callFromPage(service, 'POST', `/api/invitations/${token}/accept`, { cookie });
      const own = cookieOf(accepted);
      const { token: key } = (await call(service, 'GET', '/api/auth/token', { cookie: own })).body as { token: string };
      const account = (await call(service, 'GET', '/api/account', { cookie: own })).body as {
        emailVerified: boolean;
        acceptedInvitation: boolean;
      };
      assert.deepEqual([account.emailVerified, account.acceptedInvitation], [false, true]);
      assert.equal((await reset(squatter.account)).status, 204);
      await assertEnded({ ...squatter, keys: [key], cookies: [own] });
    });

    it('ASVS 6.3.7: after the operator’s reset of the password, the next invitation revokes the access that a stranger kept', async () => {
      const account = await register(service);
      const accept = async (cookie: string) => {
        const inviter = await register(service);
        const body = { email: account.email, role: 'viewer' };
        const invited = await call(service, 'POST', '/api/members/invitations', { key: inviter.token, body });
        const path = `/api/invitations/${(invited.body as { url: string }).url.split('/').at(-1)}/accept`;
        const accepted = await callFromPage(service, 'POST', path, { cookie });
        assert.equal(accepted.status, 200, accepted.text);
        return cookieOf(accepted) || cookie;
      };
      const cookie = await accept(await signIn(service, account));
      const { token: key } = (await call(service, 'GET', '/api/auth/token', { cookie })).body as { token: string };
      await accept(cookie);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key })).status, 200, 'only the first invitation ends it');
      await resetPassword(service.ctx, { email: account.email, newPassword });
      await accept(await signIn(service, { ...account, password: newPassword }));
      assert.equal((await call(service, 'GET', '/api/auth/token', { key })).status, 401);
    });

    it('ASVS 6.1.1: repeated changes of the password do not invalidate the links of an unverified address', async () => {
      const account = await register(service);
      await callFromPage(service, 'POST', '/api/session/forgot-password', { body: { email: account.email } });
      const token = await newestLink(service, account, 'reset');
      const body = { currentPassword: account.password, newPassword: 'the password of a stranger' };
      const changed = await callFromPage(service, 'POST', '/api/session/change-password', { cookie: await signIn(service, account), body });
      assert.equal(changed.status, 200, changed.text);
      const reset = await callFromPage(service, 'POST', '/api/session/reset-password', { body: { token, newPassword } });
      assert.equal(reset.status, 204, reset.text);
      assert.equal(await isSignedIn(service, cookieOf(changed)), false);
    });

    it('ASVS 6.4.3: a second reset link keeps the key and the second factor', async () => {
      const { account } = await squat(service);
      assert.equal((await reset(account)).status, 204);
      const owner = { ...account, password: newPassword };
      const cookie = await signIn(service, owner);
      const started = await callFromPage(service, 'POST', '/api/account/two-factor', { cookie, body: { password: newPassword } });
      const { secret } = started.body as { secret: string };
      await callFromPage(service, 'POST', '/api/account/two-factor/confirm', { cookie, body: { code: codeOf(secret) } });
      const { token } = (await call(service, 'GET', '/api/auth/token', { cookie })).body as { token: string };
      assert.equal((await reset(account, 'a third good password')).status, 204);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 200);
      const body = { email: account.email, password: 'a third good password' };
      assert.equal(((await call(service, 'POST', '/api/auth/token', { body })).body as { code: string }).code, 'code_required');
    });
  });
}
