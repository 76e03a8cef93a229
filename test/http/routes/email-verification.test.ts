import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { advanceClock, callFromPage, isSignedIn, signUp, stopClock } from '../../support/browser.ts';
import { call, cookieOf, register, signIn, type TestAccount } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { newestLink } from '../../support/links.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { assertRefused } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { squat } from '../../support/squatter.ts';

for (const engine of engines) {
  describe(`POST /api/account/verification and /api/session/verify-email (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
      stopClock();
    });
    after(async () => {
      mock.timers.reset();
      await service.close();
    });

    const verify = (token: string, cookie?: string) =>
      callFromPage(service, 'POST', '/api/session/verify-email', { body: { token }, ...(cookie && { cookie }) });

    async function requestLink(account: TestAccount): Promise<string> {
      const requested = await call(service, 'POST', '/api/account/verification', { key: account.token });
      assert.equal(requested.status, 202, requested.text);
      return newestLink(service, account, 'verify');
    }

    it('ASVS 6.3.7: 200: revokes all earlier access except the password, and the browser continues with a new session', async () => {
      const { account, keys, cookies, memberKey } = await squat(service, { twoFactor: false });
      const cookie = await signIn(service, account);
      const verified = await verify(await requestLink(account), cookie);
      assert.equal(verified.status, 200, verified.text);
      assert.equal((verified.body as { userId: string }).userId, account.userId);
      for (const key of keys) assert.equal((await call(service, 'GET', '/api/auth/token', { key })).status, 401);
      for (const old of [...cookies, cookie]) assert.equal(await isSignedIn(service, old), false);
      const headers = { 'PromptHarbor-Workspace': account.userId };
      assert.equal((await call(service, 'GET', '/api/prompts', { key: memberKey, headers })).status, 404);
      const { body } = await call(service, 'GET', '/api/account', { cookie: cookieOf(verified) });
      assert.equal((body as { emailVerified: boolean }).emailVerified, true);
      assert.ok(service.logs().includes(`"event":"email_verified","account":"${account.userId}"`));
      await signIn(service, account);
    });

    it('ASVS 6.4.3: a link works once, for 24 hours, and a reset link from before ends with it', async () => {
      const account = await signUp(service);
      const [first, second] = [await requestLink(account), await requestLink(account)];
      await callFromPage(service, 'POST', '/api/session/forgot-password', { body: { email: account.email } });
      const reset = await newestLink(service, account, 'reset');
      const cookie = cookieOf(await verify(first, account.cookie));
      for (const token of [first, second]) assertRefused(await verify(token, cookie), 400, 'invalid_verification_link');
      const body = { token: reset, newPassword: 'quite another password' };
      assertRefused(await callFromPage(service, 'POST', '/api/session/reset-password', { body }), 400, 'invalid_reset_link');

      const late = await signUp(service);
      const token = await requestLink(late);
      advanceClock(24 * 60 * 60);
      assertRefused(await verify(token, late.cookie), 400, 'invalid_verification_link');
    });

    it('401 and 403: only someone who is signed in to the account can use it, and it stays valid', async () => {
      const [account, other] = [await signUp(service), await signUp(service)];
      const token = await requestLink(account);
      assert.equal((await verify(token)).status, 401);
      const refused = assertRefused(await verify(token, other.cookie), 403, 'verification_for_another_account');
      assert.match(refused.error, /reset the password instead/);
      const body = { token };
      assert.equal((await call(service, 'POST', '/api/session/verify-email', { key: account.token, body })).status, 401, 'not with a key');
      const headers = { origin: 'https://evil.example' };
      const foreign = await call(service, 'POST', '/api/session/verify-email', { cookie: account.cookie, headers, body });
      assertRefused(foreign, 403, 'cross_origin');
      assert.equal((await verify(token, account.cookie)).status, 200);
    });

    it('400: unknown tokens, reset links, and other bodies', async () => {
      const account = await signUp(service);
      await callFromPage(service, 'POST', '/api/session/forgot-password', { body: { email: account.email } });
      const reset = await newestLink(service, account, 'reset');
      for (const token of ['', 'x', '\u0000', reset]) {
        assertRefused(await verify(token, account.cookie), 400, 'invalid_verification_link');
      }
      const link = await requestLink(account);
      const misused = { token: link, newPassword: 'quite another password' };
      assertRefused(await callFromPage(service, 'POST', '/api/session/reset-password', { body: misused }), 400, 'invalid_reset_link');
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: account.token })).status, 200);
    });

    it('403, 409 and 429: a service account, an account that is verified, and too many requests', async () => {
      const account = await signUp(service);
      const created = await call(service, 'POST', '/api/members/service-accounts', {
        key: account.token,
        body: { name: 'A program', role: 'admin' },
      });
      const { token: serviceKey } = created.body as { token: string };
      assertRefused(await call(service, 'POST', '/api/account/verification', { key: serviceKey }), 403, 'forbidden');
      const links = [await requestLink(account), await requestLink(account), await requestLink(account)];
      assertRefused(await call(service, 'POST', '/api/account/verification', { key: account.token }), 429, 'too_many_attempts');
      const cookie = cookieOf(await verify(links[2] ?? '', account.cookie));
      assertRefused(await callFromPage(service, 'POST', '/api/account/verification', { cookie }), 409, 'email_already_verified');
    });
  });
}

describe('The verification link by mail', () => {
  it('is sent at registration, once for an address that is registered again and again, and never logged', async (t) => {
    const mailServer = await startMailServer();
    const service = await startService({ env: { SMTP_URL: mailServer.url } });
    t.after(async () => {
      await service.close();
      await mailServer.close();
    });
    const email = 'grace@example.com';
    for (let count = 0; count < 5; count += 1) {
      const account = await register(service, { email });
      await service.ctx.mails.drain(60_000);
      const cookie = await signIn(service, account);
      await callFromPage(service, 'DELETE', '/api/account', { cookie, body: { password: account.password } });
    }
    assert.equal(mailServer.mails.length, 3);
    const { source } = mailServer.take();
    assert.match(source, /^Subject: Verify your email address for PromptHarbor\r$/m);
    assert.ok(!service.logs().includes('token='));
    assert.equal(service.logs().match(/"mail":"verification".*an email was not sent/g)?.length, 2);
  });

  it('is not sent after a registration with the link of an invitation email, which has verified the address', async (t) => {
    const mailServer = await startMailServer();
    const service = await startService({ env: { SMTP_URL: mailServer.url } });
    t.after(async () => {
      await service.close();
      await mailServer.close();
    });
    const owner = await register(service);
    const body = { email: 'grace@example.com', role: 'editor' };
    const invited = await call(service, 'POST', '/api/members/invitations', { key: owner.token, body });
    await service.ctx.mails.drain(60_000);
    const mail = mailServer.mails.find(({ to }) => to.includes('grace@example.com'));
    const [invitation] = /(?<=invitations\/)[\w.~-]+/.exec(mail?.source.replaceAll('=\r\n', '') ?? '') ?? [];
    const password = 'a long enough password';
    const registration = { email: 'grace@example.com', password, invitation };
    const registered = await callFromPage(service, 'POST', '/api/session/sign-up/email', { body: registration });
    assert.equal(registered.status, 201, registered.text);
    const cookie = cookieOf(registered);
    const account = (await call(service, 'GET', '/api/account', { cookie })).body as { emailVerified: boolean };
    assert.equal(account.emailVerified, true);
    const { token: key } = (await call(service, 'GET', '/api/auth/token', { cookie })).body as { token: string };
    const accepted = await callFromPage(service, 'POST', `/api/invitations/${invitation}/accept`, { cookie });
    assert.equal(accepted.status, 200, accepted.text);
    assert.equal((await call(service, 'GET', '/api/auth/token', { key })).status, 200, 'nothing was from before');
    await service.ctx.mails.drain(60_000);
    assert.equal(mailServer.mails.filter(({ to }) => to.includes('grace@example.com')).length, 1);

    const shown = (invited.body as { url: string }).url.split('/').at(-1);
    assert.ok(shown && invitation?.startsWith(`${shown}~`));
    const forged = await call(service, 'GET', `/api/invitations/${shown}~v1.forged`);
    assert.equal(forged.status, 404, 'it was used');
  });
});
