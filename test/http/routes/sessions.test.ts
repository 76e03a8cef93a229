// This must be the first import, because it has to run before the service's own modules.
import '../../support/cheap-hashes.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openSession } from '../../../src/domain/accounts/sessions.ts';
import { signIn as verifySignIn } from '../../../src/domain/accounts/sign-in.ts';
import { openDatabase } from '../../../src/store/engine/open.ts';
import { call, cookieOf, deviceCookieOf, register, signIn, type TestAccount } from '../../support/client.ts';
import { freezeClock } from '../../support/clock.ts';
import { engines, type TestDatabase } from '../../support/engines.ts';
import { type Service, startService } from '../../support/service.ts';

interface SessionList {
  data: { id: string; createdAt: string; lastUsedAt: string; address: string | null; userAgent: string | null; current: boolean }[];
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

for (const engine of engines) {
  describe(`Browser sessions (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    const post = (path: string, options: { body?: unknown; cookie?: string } = {}) =>
      call(service, 'POST', path, { ...options, headers: { origin: service.url } });
    const whoAmI = (cookie: string) => call(service, 'GET', '/api/session', { cookie });
    const list = async (cookie: string) => ((await call(service, 'GET', '/api/session/list', { cookie })).body as SessionList).data;
    const end = (cookie: string, id: string) =>
      call(service, 'DELETE', `/api/session/list/${id}`, { cookie, headers: { origin: service.url } });

    describe('POST /api/session/sign-up/email', () => {
      it('201: creates the same account as POST /api/auth/register, with a key, and signs in', async () => {
        const email = 'signup@example.com';
        const password = 'a long enough password';
        const response = await post('/api/session/sign-up/email', { body: { email, password, name: 'Ada' } });
        assert.equal(response.status, 201);
        const user = response.body as { userId: string };
        assert.deepEqual(response.body, { userId: user.userId, email, name: 'Ada' });
        assert.doesNotMatch(response.text, /ph_/);

        const shown = await call(service, 'GET', '/api/auth/token', { cookie: cookieOf(response) });
        const login = await call(service, 'POST', '/api/auth/token', { body: { email, password } });
        assert.deepEqual(shown.body, login.body);
        const { token } = login.body as { token: string };
        assert.deepEqual(login.body, { token, userId: user.userId, email, name: 'Ada' });
        assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 200);
      });

      it('400 and 409: as in POST /api/auth/register, without a cookie', async () => {
        const { email } = await register(service);
        for (const [body, status] of [
          [{ email, password: 'another password' }, 409],
          [{ email: 'new@example.com', password: 'short' }, 400],
          [{ email: 'new@example.com' }, 400],
        ] as const) {
          const response = await post('/api/session/sign-up/email', { body });
          assert.equal(response.status, status);
          assert.deepEqual(response.headers.getSetCookie(), []);
        }
      });
    });

    describe('POST /api/session/sign-in/email', () => {
      it('200: returns the user; ASVS 7.2.2: the session is not the API key', async () => {
        const { email, password, userId, token } = await register(service);
        const response = await post('/api/session/sign-in/email', { body: { email, password } });
        assert.equal(response.status, 200);
        assert.deepEqual(response.body, { userId, email, name: email.split('@')[0] });
        const cookie = cookieOf(response);
        assert.ok(!cookie.includes(token));
        assert.equal((await call(service, 'GET', '/api/auth/token', { key: cookie.split('=')[1] ?? '' })).status, 401);
        assert.equal((await whoAmI(`promptharbor.session=${token}`)).status, 401);
      });

      it('ASVS 7.2.3, 7.2.4: each sign-in gets a new token of 256 random bits', async () => {
        const account = await register(service);
        const tokens = new Set<string>();
        for (let count = 0; count < 5; count += 1) tokens.add(tokenOf(await signIn(service, account)));
        assert.equal(tokens.size, 5);
        for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{43}$/);
      });

      it('ASVS 7.2.4: an existing session is not reused', async () => {
        const account = await register(service);
        const planted = await signIn(service, await register(service));
        const { email, password } = account;
        const response = await post('/api/session/sign-in/email', { body: { email, password }, cookie: planted });
        assert.notEqual(cookieOf(response), planted);
        assert.equal(((await whoAmI(cookieOf(response))).body as { email: string }).email, email);
      });

      it('ASVS 7.2.4: signing in or up again ends the session that the browser had, and no other; a failure ends none', async () => {
        const { email, password } = await register(service);
        const elsewhere = await signIn(service, { email, password });
        const first = await signIn(service, { email, password });
        const wrong = await post('/api/session/sign-in/email', { body: { email, password: 'wrong' }, cookie: first });
        assert.equal(wrong.status, 401);
        assert.equal((await whoAmI(first)).status, 200);

        const second = cookieOf(await post('/api/session/sign-in/email', { body: { email, password }, cookie: first }));
        assert.equal((await whoAmI(first)).status, 401);
        const body = { email: `again-${email}`, password };
        const third = cookieOf(await post('/api/session/sign-up/email', { body, cookie: second }));
        assert.equal((await whoAmI(second)).status, 401);
        for (const cookie of [third, elsewhere]) assert.equal((await whoAmI(cookie)).status, 200);
      });

      it('ASVS 7.2.4: a sign-in with the password alone gets no session once two-factor was turned on in the meantime', async () => {
        const { userId: accountId, email, password } = await register(service);
        const client = { address: '127.0.0.1', userAgent: undefined };
        const { twoFactor } = service.ctx.store;
        const credential = { accountId, via: 'system' } as const;
        await twoFactor.offer(credential, 'cipher');
        const verified = await verifySignIn(service.ctx, { email, password, client });
        assert.ok(await twoFactor.confirm(credential, { secretCipher: 'cipher', step: 1, codeDigests: ['a'] }));
        await assert.rejects(openSession(service.ctx, { accountId, verified, client }), { code: 'invalid_credentials' });
        await twoFactor.remove(credential);
        const own = await signIn(service, { email, password });
        assert.equal((await list(own)).length, 1, 'only the session opened now');
      });

      it('ASVS 6.1.1: a browser that signed in before has a count of its own', async (t) => {
        const { userId, email, password } = await register(service);
        const device = deviceCookieOf(await post('/api/session/sign-in/email', { body: { email, password } }));
        const other = await register(service);
        const otherDevice = deviceCookieOf(await post('/api/session/sign-in/email', { body: { email: other.email, password } }));
        freezeClock(t);
        const attempt = (typed: string, cookie?: string) =>
          post('/api/session/sign-in/email', { body: { email, password: typed }, ...(cookie !== undefined && { cookie }) });
        for (let failure = 0; failure < 5; failure += 1) assert.equal((await attempt('wrong')).status, 401);
        assert.equal((await attempt(password)).status, 429, 'others at this address wait');
        assert.equal((await attempt(password, otherDevice)).status, 429, 'the device of another account is a stranger');
        assert.equal((await attempt(password, `${device}x`)).status, 429);
        const signedIn = await attempt(password, device);
        assert.equal(signedIn.status, 200);
        assert.equal((await attempt(password)).status, 429, 'which does not clear the count of the others');

        const renewed = deviceCookieOf(signedIn);
        for (let failure = 0; failure < 5; failure += 1) assert.equal((await attempt('wrong', renewed)).status, 401);
        assert.equal((await attempt(password, renewed)).status, 429, 'a device cannot guess either');
        assert.equal((await attempt(password, device)).status, 429, 'it is still the same device');
        for (const cookie of [device, renewed]) assert.ok(!decodeURIComponent(cookie).includes(userId));
      });

      it('401: the same response to a wrong password and an unknown email, without a cookie', async () => {
        const { email } = await register(service);
        for (const typed of [email, 'nobody@example.com', 'no\u0000address']) {
          const response = await post('/api/session/sign-in/email', { body: { email: typed, password: 'wrong' } });
          assert.equal(response.status, 401);
          assert.equal(response.text, '{"error":"Invalid email or password","code":"invalid_credentials"}');
          assert.deepEqual(response.headers.getSetCookie(), []);
        }
      });

      it('ASVS 3.5.1: 403: from another site or without an origin, including sign-up and sign-out', async () => {
        const { email, password } = await register(service);
        for (const path of ['/api/session/sign-in/email', '/api/session/sign-up/email', '/api/session/sign-out']) {
          for (const headers of [{}, { origin: 'https://evil.example' }] as Record<string, string>[]) {
            const response = await call(service, 'POST', path, { body: { email, password }, headers });
            assert.equal(response.status, 403, path);
            assert.deepEqual(response.headers.getSetCookie(), []);
          }
        }
      });
    });

    describe('The cookie', () => {
      it('ASVS 3.3.1: HttpOnly, SameSite, for every path; without Secure, because it is plain http', async () => {
        const { email, password } = await register(service);
        const response = await post('/api/session/sign-in/email', { body: { email, password } });
        const cookies = response.headers.getSetCookie();
        assert.equal(cookies.length, 2);
        assert.match(cookies[0] ?? '', /^promptharbor\.session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/i);
        assert.match(cookies[1] ?? '', /^promptharbor\.device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/i);
      });

      it('is extended with the session once an hour, and only then', async (t) => {
        const account = await register(service);
        const clock = freezeClock(t);
        const cookie = await signIn(service, account);
        clock.advance(hourMs - 1000);
        assert.deepEqual((await whoAmI(cookie)).headers.getSetCookie(), []);
        clock.advance(1000);
        const [extended = '', ...others] = (await whoAmI(cookie)).headers.getSetCookie();
        assert.ok(extended.startsWith(`${cookie}; Max-Age=604800; `), extended);
        assert.deepEqual(others, []);
        assert.deepEqual((await whoAmI(cookie)).headers.getSetCookie(), []);
      });

      it('ASVS 7.3.1: a change from another site, which is refused, does not extend the session', async (t) => {
        const account = await register(service);
        const clock = freezeClock(t);
        const cookie = await signIn(service, account);
        clock.advance(2 * hourMs);
        const before = (await service.ctx.store.sessions.list(account.userId, { now: new Date(), createdAfter: new Date(0) }))[0];
        const headers = { origin: 'https://evil.example' };
        const response = await call(service, 'DELETE', '/api/auth/token', { cookie, headers });
        assert.equal(response.status, 403);
        assert.deepEqual(response.headers.getSetCookie(), []);
        const after = (await service.ctx.store.sessions.list(account.userId, { now: new Date(), createdAfter: new Date(0) }))[0];
        assert.deepEqual(after, before);
      });

      it('401: tampered with, truncated or made up', async () => {
        const cookie = await signIn(service, await register(service));
        const [name = ''] = cookie.split('=');
        const token = tokenOf(cookie);
        const wrong = [
          '',
          token.slice(0, -1),
          token.slice(1),
          `${token}A`,
          `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
          `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
          token.toLowerCase(),
          `${token}.${'A'.repeat(43)}`,
          ` ${token}`,
          `${token}\0`,
          'A'.repeat(43),
          '%',
          '%00',
          'x'.repeat(4000),
          '__proto__',
        ];
        for (const changed of wrong) {
          const encoded = encodeURIComponent(changed);
          assert.equal((await whoAmI(`${name}=${encoded}`)).status, 401, encoded);
        }
        for (const unencoded of ['%', '%ff', '"', `${token}%`]) assert.equal((await whoAmI(`${name}=${unencoded}`)).status, 401, unencoded);
        for (const otherName of ['session', `${name}s`, name.toUpperCase(), `__Host-${name}`, '__proto__', 'constructor']) {
          assert.equal((await whoAmI(`${otherName}=${token}`)).status, 401, otherName);
        }
        assert.equal((await whoAmI(cookie)).status, 200);
      });

      it('401: the token of a session is not a key', async () => {
        const cookie = await signIn(service, await register(service));
        const token = tokenOf(cookie);
        for (const key of [token, `ph_${token}`, cookie]) {
          assert.equal((await call(service, 'GET', '/api/auth/token', { key })).status, 401);
          assert.equal((await call(service, 'GET', '/api/prompts', { key, cookie })).status, 401);
        }
        assert.equal((await whoAmI(cookie)).status, 200);
      });
    });

    it('401: no session for an account that was deleted after it signed in', async () => {
      const client = { address: '127.0.0.1', userAgent: undefined };
      const verified = { passwordHash: 'x', twoFactorConfirmedAt: null, hasPasskeys: false };
      await assert.rejects(openSession(service.ctx, { accountId: 'u_gone', client, verified }), { code: 'unauthorized' });
    });

    describe('POST /api/session/sign-out', () => {
      it('ASVS 7.4.1: 204: ends the session on the server, not only in the browser', async () => {
        const cookie = await signIn(service, await register(service));
        const response = await post('/api/session/sign-out', { cookie });
        assert.equal(response.status, 204);
        assert.match(response.headers.getSetCookie()[0] ?? '', /^promptharbor\.session=;.*Max-Age=0/);
        assert.equal((await whoAmI(cookie)).status, 401);
      });

      it('204: without a session there is nothing to end', async () => {
        assert.equal((await post('/api/session/sign-out')).status, 204);
      });
    });

    describe('GET /api/session/list, DELETE /api/session/list/{id}, POST /api/session/end-others', () => {
      let account: TestAccount;
      let here: string;
      let there: string;
      before(async () => {
        account = await register(service);
        here = await signIn(service, account);
        there = await signIn(service, account);
      });

      it('200: lists where the account is signed in, without any token', async () => {
        const sessions = await list(here);
        assert.deepEqual(
          sessions.map(({ current }) => current),
          [false, true],
          'the most recent sign-in first',
        );
        for (const session of sessions) {
          assert.deepEqual(Object.keys(session).sort(), ['address', 'createdAt', 'current', 'id', 'lastUsedAt', 'userAgent']);
          assert.match(session.id, /^s_/);
          assert.equal(session.address, '127.0.0.1');
          assert.equal(session.createdAt, new Date(session.createdAt).toISOString());
          for (const cookie of [here, there]) assert.ok(!cookie.includes(session.id));
        }
      });

      it('204: ends one session immediately, and no other', async () => {
        const other = (await list(here)).find(({ current }) => !current);
        assert.equal((await end(here, other?.id ?? '')).status, 204);
        assert.equal((await whoAmI(there)).status, 401);
        assert.equal((await whoAmI(here)).status, 200);
      });

      it('404: the same response for an unknown session and another account’s', async () => {
        const stranger = await signIn(service, await register(service));
        const theirs = (await list(stranger))[0]?.id ?? '';
        for (const id of [theirs, 's_unknown', '%00', encodeURIComponent("' or 1=1")]) {
          const response = await end(here, id);
          assert.equal(response.status, 404, id);
          assert.deepEqual(response.body, { error: 'Not found', code: 'not_found' });
        }
        assert.equal((await whoAmI(stranger)).status, 200);
      });

      it('204: ends all other sessions immediately', async () => {
        const others = [await signIn(service, account), await signIn(service, account)];
        assert.equal((await post('/api/session/end-others', { cookie: here })).status, 204);
        for (const cookie of others) assert.equal((await whoAmI(cookie)).status, 401);
        assert.equal((await list(here)).length, 1);
      });

      it('401: the API key has no access to sessions', async () => {
        const id = (await list(here))[0]?.id;
        for (const [method, path] of [
          ['GET', '/api/session/list'],
          ['DELETE', `/api/session/list/${id}`],
          ['POST', '/api/session/end-others'],
        ] as const) {
          assert.equal((await call(service, method, path, { key: account.token })).status, 401);
        }
        assert.equal((await whoAmI(here)).status, 200);
      });

      it('ASVS 3.5.1: 403: changes from another site', async () => {
        const id = (await list(here))[0]?.id;
        const headers = { origin: 'https://evil.example' };
        assert.equal((await call(service, 'DELETE', `/api/session/list/${id}`, { cookie: here, headers })).status, 403);
        assert.equal((await call(service, 'POST', '/api/session/end-others', { cookie: here, headers })).status, 403);
      });

      it('204: ending the caller’s session clears its cookie, even when it was due to be extended', async (t) => {
        const clock = freezeClock(t);
        const cookie = await signIn(service, await register(service));
        const own = (await list(cookie)).find(({ current }) => current);
        clock.advance(2 * hourMs);
        const response = await end(cookie, own?.id ?? '');
        assert.equal(response.status, 204);
        const cookies = response.headers.getSetCookie();
        assert.equal(cookies.length, 1);
        assert.match(cookies[0] ?? '', /^promptharbor\.session=; Max-Age=0; /);
      });
    });

    describe('POST /api/session/change-password', () => {
      const change = (cookie: string, body: unknown) => post('/api/session/change-password', { cookie, body });
      const newPassword = 'quite another password';

      it('ASVS 6.2.2, 7.4.3: 200: the new password works, the old one does not, all sessions but this one are ended', async () => {
        const account = await register(service);
        const here = await signIn(service, account);
        const there = await signIn(service, account);
        const response = await change(here, { currentPassword: account.password, newPassword });
        assert.equal(response.status, 200);
        assert.equal((await whoAmI(there)).status, 401);
        assert.equal((await whoAmI(here)).status, 401, 'this browser gets a new session too');
        assert.equal((await whoAmI(cookieOf(response))).status, 200);

        const login = (password: string) => call(service, 'POST', '/api/auth/token', { body: { email: account.email, password } });
        assert.equal((await login(account.password)).status, 401);
        assert.equal(((await login(newPassword)).body as { token: string }).token, account.token, 'the key stays');
      });

      it('200: sets only the cookie of the new session, even when the old one was due to be extended', async (t) => {
        const account = await register(service);
        const clock = freezeClock(t);
        const cookie = await signIn(service, account);
        clock.advance(2 * hourMs);
        const response = await change(cookie, { currentPassword: account.password, newPassword });
        assert.deepEqual(
          response.headers.getSetCookie().map((each) => each.split('=')[0]),
          ['promptharbor.session', 'promptharbor.device'],
        );
        assert.equal((await whoAmI(cookieOf(response))).status, 200);
      });

      it('ASVS 6.2.3: 401: without the current password nothing changes', async () => {
        const account = await register(service);
        const here = await signIn(service, account);
        const there = await signIn(service, account);
        assert.equal((await change(here, { currentPassword: 'wrong', newPassword })).status, 401);
        assert.equal((await change(here, { newPassword })).status, 400);
        assert.equal((await whoAmI(there)).status, 200);
        await signIn(service, account);
      });

      it('400: a new password that is not acceptable', async () => {
        const account = await register(service);
        const cookie = await signIn(service, account);
        for (const unfit of ['short', 'password1', account.email, 'x'.repeat(129), 'abcdefg\ud800', 5, null]) {
          const response = await change(cookie, { currentPassword: account.password, newPassword: unfit });
          assert.equal(response.status, 400, String(unfit));
          assert.equal((response.body as { details: { path: string }[] }).details[0]?.path, '/newPassword');
        }
      });

      it('ASVS 6.3.1: 429: guesses of the current password are throttled', async (t) => {
        const account = await register(service);
        const cookie = await signIn(service, account);
        freezeClock(t);
        const statuses: number[] = [];
        for (let guess = 0; guess < 6; guess += 1) {
          statuses.push((await change(cookie, { currentPassword: `guess ${guess}`, newPassword })).status);
        }
        assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
      });
    });

    describe('Timeouts', () => {
      it('ASVS 7.3.1: a session ends after seven days without use', async (t) => {
        const account = await register(service);
        const clock = freezeClock(t);
        const cookie = await signIn(service, account);
        clock.advance(7 * dayMs - 1000);
        const other = await signIn(service, account);
        assert.equal((await list(other)).length, 2);
        clock.advance(2000);
        assert.equal((await whoAmI(cookie)).status, 401);
        assert.equal((await whoAmI(other)).status, 200);
        assert.equal((await list(other)).length, 1);
      });

      it('ASVS 7.3.2: a session ends thirty days after the sign-in, even if it is used', async (t) => {
        const account = await register(service);
        const clock = freezeClock(t);
        const cookie = await signIn(service, account);
        for (let day = 1; day < 30; day += 1) {
          clock.advance(dayMs);
          assert.equal((await whoAmI(cookie)).status, 200, `day ${day}`);
        }
        clock.advance(dayMs + 1000);
        assert.equal((await whoAmI(cookie)).status, 401);
      });
    });
  });

  describe(`Browser sessions in the database (${engine.name})`, () => {
    it('401: the stored digest of a session does not sign in, and the session survives a restart', async (t) => {
      const database = await engine.create();
      let service = await startService({ database });
      t.after(async () => {
        await service.close();
        await database.remove();
      });
      const cookie = await signIn(service, await register(service));
      const [name, token] = cookie.split('=');
      // No other process can open the SQLite file while the service runs.
      await service.close();
      const rows = await readSessions(database);
      service = await startService({ database });

      assert.equal(rows.length, 1);
      for (const value of Object.values(rows[0] ?? {})) {
        assert.notEqual(value, token);
        assert.equal((await call(service, 'GET', '/api/session', { cookie: `${name}=${value}` })).status, 401);
        assert.equal((await call(service, 'GET', '/api/auth/token', { key: String(value) })).status, 401);
      }
      assert.equal((await call(service, 'GET', '/api/session', { cookie })).status, 200);
    });
  });

  describe(`Browser sessions under https (${engine.name})`, () => {
    let service: Service;
    const origin = 'https://prompts.example.com';
    before(async () => {
      service = await startService({ engine, env: { PUBLIC_URL: origin } });
    });
    after(() => service.close());

    it('ASVS 3.3.1, 3.3.3: the cookie is __Host- and Secure, and works', async () => {
      const { email, password } = await register(service);
      const response = await call(service, 'POST', '/api/session/sign-in/email', { body: { email, password }, headers: { origin } });
      const [cookie = '', device = '', ...rest] = response.headers.getSetCookie();
      assert.deepEqual(rest, []);
      assert.match(device, /^__Host-promptharbor\.device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/i);
      assert.match(cookie, /^__Host-promptharbor\.session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/i);
      assert.equal((await call(service, 'GET', '/api/session', { cookie: cookieOf(response) })).status, 200);
    });

    it('ASVS 3.5.1: 403: from any origin but the public one', async () => {
      const { email, password } = await register(service);
      const response = await call(service, 'POST', '/api/session/sign-in/email', {
        body: { email, password },
        headers: { origin: service.url },
      });
      assert.equal(response.status, 403);
    });
  });
}

function tokenOf(cookie: string): string {
  return cookie.slice(cookie.indexOf('=') + 1);
}

async function readSessions({ dataDir, env }: TestDatabase) {
  const { db, close } = await openDatabase({ dataDir, databaseUrl: env.DATABASE_URL });
  try {
    return await db.selectFrom('sessions').selectAll().execute();
  } finally {
    await close();
  }
}
