import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callFromPage, isSignedIn, signUp } from '../../support/browser.ts';
import { call, register, signIn } from '../../support/client.ts';
import { freezeClock } from '../../support/clock.ts';
import { engines } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

const times = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

for (const engine of engines) {
  describe(`/api/account (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    describe('GET', () => {
      it('200: the same account by key and by session, without key or password', async () => {
        const account = await register(service);
        const byKey = await call(service, 'GET', '/api/account', { key: account.token });
        const bySession = await call(service, 'GET', '/api/account', { cookie: await signIn(service, account) });
        assert.equal(byKey.status, 200);
        assert.deepEqual(bySession.body, byKey.body);
        const { createdAt, keyCreatedAt, ...rest } = byKey.body as Record<string, string>;
        assert.deepEqual(rest, {
          userId: account.userId,
          email: account.email,
          name: account.email.split('@')[0],
          hasPassword: true,
          twoFactor: false,
          hasPasskeys: false,
          verificationRequired: false,
          emailVerified: false,
          acceptedInvitation: false,
          pendingEmail: null,
          sendsEmail: false,
        });
        assert.match(String(createdAt), times);
        assert.match(String(keyCreatedAt), times);
      });

      it('200: a key reset shows in keyCreatedAt', async () => {
        const { token } = await register(service);
        const first = await call(service, 'GET', '/api/account', { key: token });
        const between = new Date().toISOString();
        const reset = await call(service, 'DELETE', '/api/auth/token', { key: token });
        const second = await call(service, 'GET', '/api/account', { key: (reset.body as { token: string }).token });
        const [before, now] = [first.body, second.body] as { keyCreatedAt: string; createdAt: string }[];
        assert.ok(before && now && before.keyCreatedAt <= between && between <= now.keyCreatedAt);
        assert.equal(now.createdAt, before.createdAt);
      });

      it('401: without key and session', async () => {
        const response = await call(service, 'GET', '/api/account');
        assert.equal(response.status, 401);
        assert.equal(response.text, '{"error":"Unauthorized"}');
      });
    });

    describe('PATCH', () => {
      it('200: changes the display name, by key and by session', async () => {
        const account = await register(service);
        const byKey = await call(service, 'PATCH', '/api/account', { key: account.token, body: { name: '  Ada Lovelace ' } });
        assert.equal(byKey.status, 200);
        assert.equal((byKey.body as { name: string }).name, 'Ada Lovelace');
        const cookie = await signIn(service, account);
        const bySession = await callFromPage(service, 'PATCH', '/api/account', { cookie, body: { name: 'Gräfin 🛳' } });
        assert.equal(bySession.status, 200);
        const info = await call(service, 'GET', '/api/auth/token', { key: account.token });
        assert.equal((info.body as { name: string }).name, 'Gräfin 🛳');
      });

      it('200: another account keeps its name', async () => {
        const [one, other] = [await register(service), await register(service)];
        await call(service, 'PATCH', '/api/account', { key: one.token, body: { name: 'Renamed' } });
        const response = await call(service, 'GET', '/api/account', { key: other.token });
        assert.equal((response.body as { name: string }).name, other.email.split('@')[0]);
      });

      it('400: invalid names, wrong types and unknown fields, naming the field', async () => {
        const { token } = await register(service);
        const wrong: [unknown, string][] = [
          [{}, '/name'],
          [{ name: '' }, '/name'],
          [{ name: ' \t ' }, '/name'],
          [{ name: 'a\u0000b' }, '/name'],
          [{ name: 'x'.repeat(101) }, '/name'],
          [{ name: 7 }, '/name'],
          [{ name: null }, '/name'],
          [{ name: 'Ada', email: 'other@example.com' }, '/email'],
          [{ name: 'Ada', userId: 'u_1' }, '/userId'],
        ];
        for (const [body, path] of wrong) {
          const response = await call(service, 'PATCH', '/api/account', { key: token, body });
          assert.equal(response.status, 400, JSON.stringify(body));
          assert.equal((response.body as { details: { path: string }[] }).details[0]?.path, path, JSON.stringify(body));
        }
      });

      it('403: 3.5.1 a session from another site changes nothing', async () => {
        const { cookie } = await signUp(service);
        const headers = { origin: 'https://evil.example' };
        const response = await call(service, 'PATCH', '/api/account', { cookie, headers, body: { name: 'Evil' } });
        assert.equal(response.status, 403);
      });
    });

    describe('DELETE', () => {
      it('204: key, password and every session are invalid immediately, and the cookie is cleared', async () => {
        const account = await register(service);
        const [cookie, elsewhere] = [await signIn(service, account), await signIn(service, account)];
        assert.equal((await call(service, 'GET', '/api/auth/token', { key: account.token })).status, 200, 'the key was in use');
        const response = await callFromPage(service, 'DELETE', '/api/account', { cookie, body: { password: account.password } });
        assert.equal(response.status, 204);
        const cookies = response.headers.getSetCookie();
        assert.ok(
          cookies.some((value) => value.startsWith('promptharbor.session=;') && value.includes('Max-Age=0')),
          cookies.join('\n'),
        );

        const byKey = await call(service, 'GET', '/api/auth/token', { key: account.token });
        assert.equal(byKey.status, 401);
        assert.equal(byKey.text, '{"error":"Unauthorized"}');
        assert.equal(await isSignedIn(service, cookie), false);
        assert.equal(await isSignedIn(service, elsewhere), false);
        const login = await call(service, 'POST', '/api/auth/token', { body: { email: account.email, password: account.password } });
        assert.equal(login.status, 401);
        assert.equal((login.body as { code: string }).code, 'invalid_credentials');
      });

      it('204: clears the cookie, even when the session was due to be extended', async (t) => {
        const account = await register(service);
        const clock = freezeClock(t);
        const cookie = await signIn(service, account);
        clock.advance(2 * 60 * 60 * 1000);
        const response = await callFromPage(service, 'DELETE', '/api/account', { cookie, body: { password: account.password } });
        assert.equal(response.status, 204);
        const [cleared, ...others] = response.headers.getSetCookie();
        assert.match(cleared ?? '', /^promptharbor\.session=;.*Max-Age=0/);
        assert.deepEqual(others, []);
      });

      it('204: the email is free again, and the new account is a different one', async () => {
        const account = await signUp(service);
        const { cookie } = account;
        await callFromPage(service, 'DELETE', '/api/account', { cookie, body: { password: account.password } });
        const again = await register(service, { email: account.email });
        assert.notEqual(again.userId, account.userId);
        assert.equal((await call(service, 'GET', '/api/account', { key: account.token })).status, 401);
      });

      it('204: other accounts are not affected', async () => {
        const [gone, other] = [await register(service), await register(service)];
        const otherCookie = await signIn(service, other);
        await callFromPage(service, 'DELETE', '/api/account', { cookie: await signIn(service, gone), body: { password: gone.password } });
        assert.equal((await call(service, 'GET', '/api/account', { key: other.token })).status, 200);
        assert.equal(await isSignedIn(service, otherCookie), true);
      });

      it('400: without a body, or with a wrong type', async () => {
        const account = await signUp(service);
        const { cookie } = account;
        for (const body of [undefined, { password: 7 }, { password: account.password, code: 123456 }, { password: 'x', why: 'y' }]) {
          const response = await callFromPage(service, 'DELETE', '/api/account', { cookie, ...(body && { body }) });
          assert.equal(response.status, 400, JSON.stringify(body));
        }
        assert.equal((await call(service, 'GET', '/api/account', { key: account.token })).status, 200);
      });

      it('401: a wrong password, or the password of another account', async () => {
        const account = await register(service, { password: 'the password of the one' });
        const other = await register(service, { password: 'the password of the other' });
        const cookie = await signIn(service, account);
        for (const password of ['wrong password', other.password, '', '\u0000']) {
          const response = await callFromPage(service, 'DELETE', '/api/account', { cookie, body: { password } });
          assert.equal(response.status, 401);
          assert.equal((response.body as { code: string }).code, 'invalid_credentials');
        }
        assert.equal(await isSignedIn(service, cookie), true);
      });

      it('401: the API key cannot delete its account, even with the password and a valid cookie', async () => {
        const account = await signUp(service);
        const { cookie } = account;
        const response = await callFromPage(service, 'DELETE', '/api/account', {
          key: account.token,
          cookie,
          body: { password: account.password },
        });
        assert.equal(response.status, 401);
        assert.equal(response.text, '{"error":"Unauthorized"}');
        assert.equal((await call(service, 'GET', '/api/account', { key: account.token })).status, 200);
      });

      it('403: 3.5.1 not from another site', async () => {
        const account = await signUp(service);
        const { cookie } = account;
        const headers = { origin: 'https://evil.example' };
        const response = await call(service, 'DELETE', '/api/account', { cookie, headers, body: { password: account.password } });
        assert.equal(response.status, 403);
        assert.equal((await call(service, 'GET', '/api/account', { key: account.token })).status, 200);
      });

      it('429: guesses of the password are counted like sign-ins', async () => {
        const account = await signUp(service);
        const { cookie } = account;
        for (let guess = 0; guess < 5; guess += 1) {
          await callFromPage(service, 'DELETE', '/api/account', { cookie, body: { password: `guess ${guess}` } });
        }
        const response = await callFromPage(service, 'DELETE', '/api/account', { cookie, body: { password: account.password } });
        assert.equal(response.status, 429);
        assert.ok(Number(response.headers.get('retry-after')) >= 1);
      });
    });
  });
}
