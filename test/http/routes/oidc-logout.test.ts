import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { isSignedIn, signUp } from '../../support/browser.ts';
import { call } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { assertOpens, assertProblem, createBrowser, newPerson, providerEnv } from '../../support/oidc.ts';
import { type Service, startService } from '../../support/service.ts';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

for (const engine of engines) {
  describe(`POST /api/session/oidc/backchannel-logout, ${engine.name}`, () => {
    let provider: IdentityProvider;
    let other: IdentityProvider;
    let service: Service;
    before(async () => {
      [provider, other] = await Promise.all([startIdentityProvider(), startIdentityProvider()]);
      service = await startService({ engine, env: await providerEnv(provider.settings(), other.settings({ id: 'other' })) });
    });
    after(async () => {
      await service?.close();
      await Promise.all([provider?.close(), other?.close()]);
    });

    async function signInAs(person: ReturnType<typeof newPerson>) {
      const browser = createBrowser(service);
      await browser.signIn(provider, person);
      assert.equal(await isSignedIn(service, browser.cookie), true);
      return browser.cookie;
    }

    async function logOut(token: string) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return call(service, 'POST', '/api/session/oidc/backchannel-logout', { text: `logout_token=${token}`, headers });
    }

    it('200: ends the sessions of a subject, or only those of one session at the provider', async () => {
      const person = newPerson();
      const [one, two, local] = [
        await signInAs({ ...person, sid: 'one' }),
        await signInAs({ ...person, sid: 'two' }),
        (await signUp(service)).cookie,
      ];
      const response = await logOut(await provider.logoutToken({ sid: 'one' }));
      assert.deepEqual([response.status, response.headers.get('cache-control')], [200, 'no-store'], response.text);
      assert.deepEqual([await isSignedIn(service, one), await isSignedIn(service, two)], [false, true]);
      assert.equal((await logOut(await provider.logoutToken({ sub: person.sub }))).status, 200);
      assert.equal(await isSignedIn(service, two), false);
      assert.equal(await isSignedIn(service, local), true);
    });

    it('200: also ends sign-ins that it arrives in the middle of, by subject and by session, and no later ones', async () => {
      for (const sid of [undefined, 'own']) {
        const person = newPerson(sid === undefined ? {} : { sid });
        const browser = createBrowser(service);
        const named = sid === undefined ? { sub: person.sub } : { sid };
        // At this moment, the provider has identified the person, but the service has not created the session yet.
        provider.misbehavior.token = async (signed) => {
          const foreign = [{ sub: 'someone else' }, { sid: 'another' }, { sub: person.sub, iat: Math.floor(Date.now() / 1000) - 60 }];
          for (const other of foreign) assert.equal((await logOut(await provider.logoutToken(other))).status, 200);
          if (isLoggedOut) assert.equal((await logOut(await provider.logoutToken(named))).status, 200);
          return signed;
        };
        let isLoggedOut = true;
        assertProblem(await browser.signIn(provider, person), 'sign_in_expired');
        isLoggedOut = false;
        const later = { iat: Math.floor(Date.now() / 1000) + 1, ...(sid && { sid: 'a new one' }) };
        assertOpens(await browser.signIn(provider, { ...person, ...later }), '/dashboard');
        provider.misbehavior.token = undefined;
      }
    });

    it('400: refuses forged, foreign and replayed logout tokens, and ends nothing', async () => {
      const person = newPerson();
      const cookie = await signInAs({ ...person, sid: 'kept' });
      const { sub } = person;
      const now = Math.floor(Date.now() / 1000);
      const changes: Record<string, unknown>[] = [
        {},
        { sub, iss: 'https://issuer.example' },
        { sub, iss: other.issuer },
        { sub, aud: 'another client' },
        { sub, iat: now - 3600 },
        { sub, iat: now + 3600 },
        { sub, exp: now - 3600 },
        { sub, iat: undefined },
        { sub, jti: undefined },
        { sub, nonce: 'a nonce' },
        { sub, events: undefined },
        { sub, events: {} },
        { sub, events: { 'http://schemas.openid.net/event/other': {} } },
        { sub, events: 'http://schemas.openid.net/event/backchannel-logout' },
        { sub: 7 },
      ];
      const tokens = await Promise.all(changes.map((change) => provider.logoutToken(change)));
      const genuine = await provider.logoutToken({ sub });
      const [, payload = ''] = genuine.split('.');
      const { privateKey } = await generateKeyPair('RS256');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
      tokens.push(`${encode({ alg: 'none' })}.${payload}.`, genuine.replace(/.{5}$/, 'AAAAA'), 'x', '', 'a.b.c', 'x'.repeat(9000));
      tokens.push(await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey));
      for (const secret of [await exportSPKI(provider.publicKey), 'the secret of the client']) {
        const content = `${encode({ alg: 'HS256' })}.${payload}`;
        tokens.push(`${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`);
      }
      for (const [index, token] of tokens.entries()) assert.equal((await logOut(token)).status, 400, `token ${index}`);
      assert.equal(await isSignedIn(service, cookie), true);

      assert.equal((await logOut(genuine)).status, 200);
      // `iat` has whole seconds, so a sign-in in the same second as the token could count as older than the token.
      const again = await signInAs({ ...person, sid: 'again', iat: now + 60 });
      assert.equal((await logOut(genuine)).status, 400);
      assert.equal(await isSignedIn(service, again), true);
    });

    it('400 or 415: accepts only form data with a token, and form data nowhere else', async () => {
      const path = '/api/session/oidc/backchannel-logout';
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      assert.equal((await call(service, 'POST', path, { text: 'x=1', headers: form })).status, 400);
      const elsewhere = await call(service, 'POST', '/api/session/sign-in/email', {
        text: 'email=x&password=y',
        headers: { ...form, origin: service.url },
      });
      assert.equal(elsewhere.status, 415);
    });
  });
}
