import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { advanceClock, callFromPage, codeOf, enableTwoFactor, isSignedIn, signUp, stopClock } from '../../support/browser.ts';
import { call, cookieOf, register, signIn, type TestAccount } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { newestLink, verifyAddress } from '../../support/links.ts';
import { partsOf, startMailServer } from '../../support/mail-server.ts';
import { assertRefused } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { squat } from '../../support/squatter.ts';

const password = 'a long enough password';
let addresses = 0;

function newAddress(): string {
  addresses += 1;
  return `new${addresses}-${process.pid}@example.com`;
}

for (const engine of engines) {
  describe(`POST /api/account/email and /api/session/confirm-email (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
      stopClock();
    });
    after(async () => {
      mock.timers.reset();
      await service.close();
    });

    const request = (cookie: string, email: string, proof: { password?: string; code?: string } = { password }) =>
      callFromPage(service, 'POST', '/api/account/email', { cookie, body: { email, ...proof } });
    const confirm = (token: string, cookie?: string) =>
      callFromPage(service, 'POST', '/api/session/confirm-email', { body: { token }, ...(cookie && { cookie }) });

    async function requestLink(account: TestAccount & { cookie: string }, email: string): Promise<string> {
      const requested = await request(account.cookie, email, { password: account.password });
      assert.equal(requested.status, 202, requested.text);
      assert.deepEqual(requested.body, { status: 'ok', mailed: false });
      return newestLink(service, account, 'confirm-email');
    }

    async function newVerified() {
      const account = await verifyAddress(service, await register(service));
      return { ...account, cookie: await signIn(service, account) };
    }

    async function accountOf(cookie: string) {
      const { body } = await call(service, 'GET', '/api/account', { cookie });
      return body as { email: string; pendingEmail: string | null; emailVerified: boolean };
    }

    it('changes nothing until the link is used, then ends the other sessions and keeps the key and the second factor', async () => {
      const verified = await verifyAddress(service, await register(service));
      const account = await enableTwoFactor(service, verified);
      const other = await call(service, 'POST', '/api/session/sign-in/email', {
        headers: { origin: service.url },
        body: { email: account.email, password: account.password, code: codeOf(account.secret) },
      });
      const email = newAddress();
      advanceClock(30);
      assertRefused(await request(account.cookie, email, { password }), 401, 'code_required');
      const requested = await request(account.cookie, `  ${email.toUpperCase()} `, { password, code: codeOf(account.secret) });
      assert.equal(requested.status, 202, requested.text);
      const before = await accountOf(account.cookie);
      assert.deepEqual([before.email, before.pendingEmail], [account.email, email]);
      assert.ok(await isSignedIn(service, cookieOf(other)));

      const token = await newestLink(service, account, 'confirm-email');
      const confirmed = await confirm(token, account.cookie);
      assert.equal(confirmed.status, 200, confirmed.text);
      assert.equal((confirmed.body as { email: string }).email, email);
      const cookie = cookieOf(confirmed);
      for (const ended of [account.cookie, cookieOf(other)]) assert.equal(await isSignedIn(service, ended), false);
      const changed = await accountOf(cookie);
      assert.deepEqual([changed.email, changed.pendingEmail, changed.emailVerified], [email, null, true]);
      const verifiedKey = await call(service, 'GET', '/api/auth/token', { key: account.token });
      assert.equal((verifiedKey.body as { email: string }).email, email, 'the key stays and names the new address at once');
      advanceClock(30);
      const login = { email, password: account.password };
      assertRefused(await call(service, 'POST', '/api/auth/token', { body: login }), 401, 'code_required');
      assertRefused(
        await call(service, 'POST', '/api/auth/token', { body: { ...login, email: account.email } }),
        401,
        'invalid_credentials',
      );
      assertRefused(await confirm(token, cookie), 400, 'invalid_email_change_link');
    });

    it('ASVS 6.3.7: revokes all earlier access if no address was ever verified', async () => {
      const { account, keys, cookies, memberKey } = await squat(service, { twoFactor: false });
      const cookie = await signIn(service, account);
      const email = newAddress();
      const confirmed = await confirm(await requestLink({ ...account, cookie }, email), cookie);
      assert.equal(confirmed.status, 200, confirmed.text);
      for (const key of keys) assert.equal((await call(service, 'GET', '/api/auth/token', { key })).status, 401);
      for (const old of [...cookies, cookie]) assert.equal(await isSignedIn(service, old), false);
      const headers = { 'PromptHarbor-Workspace': account.userId };
      assert.equal((await call(service, 'GET', '/api/prompts', { key: memberKey, headers })).status, 404);
      assert.equal((await accountOf(cookieOf(confirmed))).email, email);
    });

    it('a stranger’s pending change is canceled when the owner of the address verifies it, or resets or changes the password', async () => {
      const email = newAddress();
      const proved = await signUp(service);
      const link = await requestLink(proved, email);
      await verifyAddress(service, proved);
      const cookie = await signIn(service, proved);
      assertRefused(await confirm(link, cookie), 400, 'invalid_email_change_link');

      const changing = await signUp(service);
      const pending = await requestLink(changing, newAddress());
      const body = { currentPassword: password, newPassword: 'quite another password' };
      const changed = await callFromPage(service, 'POST', '/api/session/change-password', { cookie: changing.cookie, body });
      assert.equal(changed.status, 200, changed.text);
      assertRefused(await confirm(pending, cookieOf(changed)), 400, 'invalid_email_change_link');
    });

    it('the change invalidates reset and verification links of the old address', async () => {
      const account = await newVerified();
      await callFromPage(service, 'POST', '/api/session/forgot-password', { body: { email: account.email } });
      const reset = await newestLink(service, account, 'reset');
      const confirmed = await confirm(await requestLink(account, newAddress()), account.cookie);
      assert.equal(confirmed.status, 200, confirmed.text);
      const body = { token: reset, newPassword: 'quite another password' };
      assertRefused(await callFromPage(service, 'POST', '/api/session/reset-password', { body }), 400, 'invalid_reset_link');
    });

    it('responds in the same way for an address that another account has, and never assigns it', async () => {
      const [account, other] = [await newVerified(), await signUp(service)];
      const free = await request(account.cookie, newAddress());
      const taken = await request(account.cookie, other.email);
      assert.deepEqual([taken.status, taken.text], [free.status, free.text]);
      assert.equal((await accountOf(account.cookie)).pendingEmail, other.email);
      await service.ctx.mails.drain(60_000);
      const lines = service.logs().split('\n');
      assert.ok(lines.some((line) => line.includes(other.email) && line.includes('belongs to another account')));
      assert.ok(!lines.some((line) => line.includes(other.email) && line.includes('confirm-email')), 'no link was made known');

      const email = newAddress();
      const link = await requestLink(account, email);
      await register(service, { email });
      assertRefused(await confirm(link, account.cookie), 409, 'email_taken');
      assert.equal((await accountOf(account.cookie)).email, account.email);
    });

    it('works once, for one day, for the newest request, and of two uses at once one succeeds', async () => {
      const account = await newVerified();
      const older = await requestLink(account, newAddress());
      const newer = await requestLink(account, newAddress());
      assertRefused(await confirm(older, account.cookie), 400, 'invalid_email_change_link');
      const both = await Promise.all([confirm(newer, account.cookie), confirm(newer, account.cookie)]);
      const statuses = both.map(({ status }) => status).sort();
      assert.equal(statuses[0], 200);
      assert.ok(statuses[1] === 400 || statuses[1] === 401, String(statuses[1]));

      const late = await newVerified();
      const token = await requestLink(late, newAddress());
      advanceClock(24 * 60 * 60);
      assertRefused(await confirm(token, late.cookie), 400, 'invalid_email_change_link');
      assert.equal((await accountOf(late.cookie)).pendingEmail, null);
    });

    it('two accounts that change to the same address: one gets it', async () => {
      const [first, second] = [await newVerified(), await newVerified()];
      const email = newAddress();
      const links = [await requestLink(first, email), await requestLink(second, email)];
      const [one, two] = await Promise.all([confirm(links[0] ?? '', first.cookie), confirm(links[1] ?? '', second.cookie)]);
      assert.deepEqual([one.status, two.status].sort(), [200, 409]);
    });

    it('401, 403: not with a key, without the password, from another origin, or with the session of another account', async () => {
      const account = await newVerified();
      const body = { email: newAddress(), password };
      assert.equal((await call(service, 'POST', '/api/account/email', { key: account.token, body })).status, 401);
      assertRefused(await request(account.cookie, newAddress(), { password: 'not the password' }), 401, 'invalid_credentials');
      const headers = { origin: 'https://evil.example' };
      assertRefused(await call(service, 'POST', '/api/account/email', { cookie: account.cookie, headers, body }), 403, 'cross_origin');
      const token = await requestLink(account, newAddress());
      const other = await signUp(service);
      assert.equal((await confirm(token)).status, 401);
      assertRefused(await confirm(token, other.cookie), 403, 'verification_for_another_account');
      assert.equal((await confirm(token, account.cookie)).status, 200);
    });

    it('400: an invalid, a reserved or the present address, and links of other kinds', async () => {
      const account = await newVerified();
      for (const email of [
        '',
        'no address',
        account.email,
        ` ${account.email.toUpperCase()}`,
        'x@service.invalid',
        'a\u0000@example.com',
      ]) {
        assert.equal((await request(account.cookie, email)).status, 400, email);
      }
      await callFromPage(service, 'POST', '/api/session/forgot-password', { body: { email: account.email } });
      const reset = await newestLink(service, account, 'reset');
      for (const token of ['', 'x', '\u0000', reset]) {
        assertRefused(await confirm(token, account.cookie), 400, 'invalid_email_change_link');
      }
      const link = await requestLink(account, newAddress());
      const verified = await callFromPage(service, 'POST', '/api/session/verify-email', { cookie: account.cookie, body: { token: link } });
      assertRefused(verified, 400, 'invalid_verification_link');
    });

    it('DELETE /api/account/email: the link stops working; 404 without a change', async () => {
      const account = await newVerified();
      const token = await requestLink(account, newAddress());
      const cancel = () => callFromPage(service, 'DELETE', '/api/account/email', { cookie: account.cookie });
      assert.equal((await cancel()).status, 204);
      assertRefused(await confirm(token, account.cookie), 400, 'invalid_email_change_link');
      assertRefused(await cancel(), 404, 'not_found');
    });

    it('429: one mailbox gets few links, whoever asks', async () => {
      const email = newAddress();
      const accounts = [await newVerified(), await newVerified()];
      for (let count = 0; count < 3; count += 1) assert.equal((await request(accounts[count % 2]?.cookie ?? '', email)).status, 202);
      assertRefused(await request(accounts[1]?.cookie ?? '', email), 429, 'too_many_attempts');
    });
  });
}

describe('A change of the address by mail', () => {
  it('goes to the new address; the old one is told at the request and after the change; an owner of the address gets no link', async (t) => {
    const mailServer = await startMailServer();
    const service = await startService({ env: { SMTP_URL: mailServer.url } });
    t.after(async () => {
      await service.close();
      await mailServer.close();
    });
    const account = await verifyAddress(service, await register(service, { email: 'ada@example.com' }));
    await register(service, { email: 'taken@example.com' });
    await service.ctx.mails.drain(60_000);
    mailServer.mails.length = 0;
    const cookie = await signIn(service, account);
    const request = (email: string) => callFromPage(service, 'POST', '/api/account/email', { cookie, body: { email, password } });
    const receive = async () => {
      await service.ctx.mails.drain(60_000);
      return new Map(mailServer.mails.splice(0).map((mail) => [mail.to[0], partsOf(mail)['text/plain']?.replaceAll('\r\n', '\n') ?? '']));
    };

    assert.deepEqual((await request('taken@example.com')).body, { status: 'ok', mailed: true });
    const refused = await receive();
    assert.match(refused.get('taken@example.com') ?? '', /you already have an account/);
    assert.doesNotMatch([...refused.values()].join('\n'), /confirm-email/);

    assert.deepEqual((await request('new@example.com')).body, { status: 'ok', mailed: true });
    const mails = await receive();
    const token = /confirm-email\?token=([\w-]{43})/.exec(mails.get('new@example.com') ?? '')?.[1];
    assert.ok(token);
    assert.match(mails.get('ada@example.com') ?? '', /If this was not you, set a new password now/);
    assert.doesNotMatch(mails.get('ada@example.com') ?? '', /token=|new@example/, 'the old address cannot confirm the change');
    assert.ok(!service.logs().includes('token='));

    const confirmed = await callFromPage(service, 'POST', '/api/session/confirm-email', { cookie, body: { token } });
    assert.equal(confirmed.status, 200, confirmed.text);
    const after = await receive();
    assert.deepEqual([...after.keys()], ['ada@example.com']);
    assert.match(after.get('ada@example.com') ?? '', /was changed/);
  });
});
