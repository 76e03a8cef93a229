// This must be the first import, because it has to run before the service's own modules.
import '../../support/cheap-hashes.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { codeLimits, passwordLimits } from '../../../src/domain/accounts/attempt-limits.ts';
import { openSession } from '../../../src/domain/accounts/sessions.ts';
import { signIn as verifySignIn } from '../../../src/domain/accounts/sign-in.ts';
import { countAttempt } from '../../../src/domain/accounts/throttles.ts';
import { advanceClock, callFromPage, codeOf, enableTwoFactor, isSignedIn, stopClock } from '../../support/browser.ts';
import { type ApiResponse, call, register, signIn, type TestAccount } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { verifyAddress } from '../../support/links.ts';
import { type Service, startService } from '../../support/service.ts';

const newPassword = 'a quite different password';

for (const engine of engines) {
  describe(`POST /api/session/reset-password (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
      stopClock();
    });
    after(async () => {
      mock.timers.reset();
      await service.close();
    });

    const reset = (body: unknown) => callFromPage(service, 'POST', '/api/session/reset-password', { body });
    const login = (account: TestAccount, password: string, code?: string) =>
      call(service, 'POST', '/api/auth/token', { body: { email: account.email, password, ...(code && { code }) } });

    /** Requests a link and reads its token from the log, as the operator would. */
    async function requestToken({ email, userId }: TestAccount): Promise<string> {
      const response = await callFromPage(service, 'POST', '/api/session/forgot-password', { body: { email } });
      assert.equal(response.status, 202, response.text);
      await service.ctx.mails.drain(5000);
      const line = service
        .logs()
        .split('\n')
        .findLast((each) => each.includes('/reset?token=') && each.includes(userId));
      const token = /token=([\w-]{43})"/.exec(line ?? '')?.[1];
      assert.ok(token);
      return token;
    }

    it('ASVS 6.4.3: 204: sets the password, ends all sessions and keeps the API key of a verified account', async () => {
      const account = await verifyAddress(service, await register(service));
      const cookies = [await signIn(service, account), await signIn(service, account)];
      const response = await reset({ token: await requestToken(account), newPassword });
      assert.equal(response.status, 204);
      assert.deepEqual(response.headers.getSetCookie(), []);
      for (const cookie of cookies) assert.equal(await isSignedIn(service, cookie), false);
      assert.equal((await login(account, account.password)).status, 401);
      const again = await login(account, newPassword);
      assert.equal(again.status, 200);
      assert.equal((again.body as { token: string }).token, account.token);
      assert.ok(service.logs().includes(`"event":"password_reset","account":"${account.userId}"`));
    });

    it('ASVS 6.1.1: 204: ends the waits that other people’s guesses caused, except the wait for wrong codes', async () => {
      const account = await register(service);
      const { email, userId, password } = account;
      const stranger = (address: string) => passwordLimits({ email, client: { address, userAgent: undefined } }, { kind: 'new address' });
      // Counts failures as sign-ins would, without the hashing.
      for (let failure = 0; failure < 4; failure += 1) {
        for (const number of [1, 2, 3, 4]) await countAttempt(service.ctx, stranger(`203.0.113.${number}`));
        await countAttempt(service.ctx, codeLimits(userId));
      }
      for (let failure = 0; failure < 5; failure += 1) await login(account, 'wrong');
      assert.equal((await login(account, password)).status, 429);
      assert.equal((await reset({ token: await requestToken(account), newPassword })).status, 204);
      assert.equal((await login(account, newPassword)).status, 200);
      await countAttempt(service.ctx, stranger('203.0.113.9'));
      assert.equal(await (await countAttempt(service.ctx, codeLimits(userId))).fail(), true, 'the fifth');
    });

    it('ASVS 7.4.3: 204: a concurrent sign-in with the old password gets no session', async () => {
      const account = await register(service);
      const token = await requestToken(account);
      const client = { address: '127.0.0.1', userAgent: undefined };
      const verified = await verifySignIn(service.ctx, { ...account, client });
      assert.equal((await reset({ token, newPassword })).status, 204);

      const accountId = account.userId;
      await assert.rejects(openSession(service.ctx, { accountId, verified, client }), { code: 'invalid_credentials' });
      const own = await signIn(service, { ...account, password: newPassword });
      const { body } = await call(service, 'GET', '/api/session/list', { cookie: own });
      assert.equal((body as { data: unknown[] }).data.length, 1, 'only the session of the new password');
    });

    it('ASVS 7.4.3: a change of the password that is in flight does not override the reset', async () => {
      const account = await register(service);
      const token = await requestToken(account);
      const ctx = service.ctx;
      const stored = await ctx.store.accounts.findById(account.userId);
      assert.equal((await reset({ token, newPassword })).status, 204);

      // Repeats the last step of a password change that verified the old hash before the reset.
      const change = { passwordHash: 'of the intruder', currentHash: stored?.passwordHash };
      assert.equal(await ctx.store.accounts.replacePassword({ accountId: account.userId, via: 'system' }, change), false);
      assert.equal((await login(account, newPassword)).status, 200);
    });

    it('204: another account keeps password and sessions', async () => {
      const [account, other] = [await register(service), await register(service)];
      const cookie = await signIn(service, other);
      await reset({ token: await requestToken(account), newPassword });
      assert.equal(await isSignedIn(service, cookie), true);
      assert.equal((await login(other, other.password)).status, 200);
    });

    it('ASVS 6.3.3: 204: two-factor of a verified account stays on', async () => {
      const account = await enableTwoFactor(service, await verifyAddress(service, await register(service)));
      assert.equal((await reset({ token: await requestToken(account), newPassword })).status, 204);
      assert.equal(codeIn(await login(account, newPassword)), 'code_required');
      assert.equal((await login(account, newPassword, codeOf(account.secret))).status, 200);
    });

    it('ASVS 6.4.3: 400: a link works once, and invalidates the account’s other links', async () => {
      const account = await register(service);
      const [first, second] = [await requestToken(account), await requestToken(account)];
      assert.equal((await reset({ token: first, newPassword })).status, 204);
      for (const token of [first, second]) {
        const response = await reset({ token, newPassword: 'yet another password' });
        assert.equal(response.status, 400);
        assert.equal(codeIn(response), 'invalid_reset_link');
      }
      assert.equal((await login(account, newPassword)).status, 200);
    });

    it('ASVS 6.4.3: 400: of four concurrent uses of one link exactly one succeeds, and its password is set', async () => {
      const account = await register(service);
      const token = await requestToken(account);
      const passwords = ['the first of four', 'the second of four', 'the third of four', 'the fourth of four'];
      const responses = await Promise.all(passwords.map((password) => reset({ token, newPassword: password })));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 400, 400, 400]);
      const winner = passwords[responses.findIndex(({ status }) => status === 204)] ?? '';
      assert.equal((await login(account, winner)).status, 200);
    });

    it('ASVS 6.4.3: 400: after 30 minutes', async () => {
      const account = await register(service);
      const [used, late] = [await requestToken(account), await requestToken(await register(service))];
      advanceClock(29 * 60 + 59);
      assert.equal((await reset({ token: used, newPassword })).status, 204);
      advanceClock(1);
      assert.equal(codeIn(await reset({ token: late, newPassword })), 'invalid_reset_link');
    });

    it('400: a link of a verified account is invalid once the password was changed in another way, or the account deleted', async () => {
      const account = await verifyAddress(service, await register(service));
      const token = await requestToken(account);
      const cookie = await signIn(service, account);
      const body = { currentPassword: account.password, newPassword };
      assert.equal((await callFromPage(service, 'POST', '/api/session/change-password', { cookie, body })).status, 200);
      assert.equal(codeIn(await reset({ token, newPassword: 'yet another password' })), 'invalid_reset_link');

      const gone = await register(service);
      const orphan = await requestToken(gone);
      await callFromPage(service, 'DELETE', '/api/account', { cookie: await signIn(service, gone), body: { password: gone.password } });
      assert.equal(codeIn(await reset({ token: orphan, newPassword })), 'invalid_reset_link');
    });

    it('400: unknown tokens, including one with NUL', async () => {
      for (const token of ['', 'x', 'A'.repeat(43), '\u0000', '../reset', 'ключ']) {
        const response = await reset({ token, newPassword });
        assert.equal(response.status, 400, token);
        assert.equal(codeIn(response), 'invalid_reset_link', token);
      }
    });

    it('400: a password that is not acceptable is named, and the link stays valid', async () => {
      const account = await register(service);
      const token = await requestToken(account);
      for (const password of ['short', 'password123', 'x'.repeat(129), account.email]) {
        const response = await reset({ token, newPassword: password });
        assert.equal(response.status, 400, password);
        assert.equal((response.body as { details: { path: string }[] }).details[0]?.path, '/newPassword', password);
      }
      assert.equal((await reset({ token, newPassword })).status, 204);
    });

    it('400: missing fields, wrong types, unknown fields', async () => {
      for (const body of [
        {},
        { token: 'x' },
        { newPassword },
        { token: 7, newPassword },
        { token: 'x', newPassword: 7 },
        { token: 'x', newPassword, x: 1 },
      ]) {
        const response = await reset(body);
        assert.equal(response.status, 400, JSON.stringify(body));
        assert.equal(codeIn(response), 'invalid_input', JSON.stringify(body));
      }
    });

    it('403: 3.5.1 not from another site', async () => {
      const headers = { origin: 'https://evil.example' };
      const response = await call(service, 'POST', '/api/session/reset-password', { headers, body: { token: 'x', newPassword } });
      assert.equal(response.status, 403);
    });
  });
}

function codeIn(response: ApiResponse): string | undefined {
  return (response.body as { code?: string }).code;
}
