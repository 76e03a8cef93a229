import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it, mock } from 'node:test';
import { exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { stopClock } from '../../support/browser.ts';
import { call } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { assertOpens, assertProblem, createBrowser, newPerson, providerEnv } from '../../support/oidc.ts';
import { type Service, startService } from '../../support/service.ts';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

for (const engine of engines) {
  describe(`10.x: a hostile OpenID Connect provider or browser, ${engine.name}`, () => {
    let provider: IdentityProvider;
    let other: IdentityProvider;
    let service: Service;
    before(async () => {
      [provider, other] = await Promise.all([startIdentityProvider(), startIdentityProvider()]);
      const env = await providerEnv(provider.settings(), other.settings({ id: 'other' }));
      service = await startService({ engine, env });
    });
    after(async () => {
      await service?.close();
      await Promise.all([provider?.close(), other?.close()]);
    });

    /** Signs a new person in while the provider misbehaves. Nothing may remain of it, so the same person can then sign in honestly. */
    async function assertRefused(misbehavior: IdentityProvider['misbehavior'], problem = 'provider_invalid'): Promise<void> {
      const person = newPerson();
      Object.assign(provider.misbehavior, misbehavior);
      try {
        assertProblem(await createBrowser(service).signIn(provider, person), problem);
      } finally {
        for (const name of Object.keys(misbehavior)) delete provider.misbehavior[name as keyof typeof misbehavior];
      }
      assert.equal(await service.ctx.store.accounts.findByEmail(person.email), undefined);
    }

    it('refuses an id token without a signature (alg: none)', () =>
      assertRefused({ token: (_signed, claims) => `${encode({ alg: 'none' })}.${encode(claims)}.` }));

    it('refuses key confusion: HS256 with the public key or the client secret', async () => {
      const sign = (secret: string, claims: JWTPayload) => {
        const content = `${encode({ alg: 'HS256', kid: 'k1' })}.${encode(claims)}`;
        return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
      };
      const pem = await exportSPKI(provider.publicKey);
      for (const secret of [pem, JSON.stringify(provider.publicJwk), 'the secret of the client']) {
        await assertRefused({ token: (_signed, claims) => sign(secret, claims) });
      }
    });

    it('refuses an id token that another key signed, even with the key in its header', async () => {
      const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
      const jwk = await crypto.subtle.exportKey('jwk', publicKey);
      for (const header of [{ kid: 'k1' }, { kid: 'unknown' }, { jwk: { kty: 'RSA', n: jwk.n ?? '', e: jwk.e ?? '' } }]) {
        const token = (_signed: string, claims: JWTPayload) =>
          new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey);
        await assertRefused({ token });
      }
    });

    it('refuses a changed id token', () =>
      assertRefused({ token: (signed, claims) => signed.replace(/\.[^.]+\./, `.${encode({ ...claims, sub: 'someone else' })}.`) }));

    it('refuses a missing or wrong nonce, audience, issuer or time', async () => {
      const now = Math.floor(Date.now() / 1000);
      const changes: Record<string, unknown>[] = [
        { nonce: undefined },
        { nonce: 'another' },
        { aud: 'another client' },
        { aud: ['promptharbor', 'another client'], azp: 'another client' },
        { iss: 'https://issuer.example' },
        { iss: other.issuer },
        { exp: now - 3600 },
        { exp: undefined },
        { iat: undefined },
        { sub: undefined },
        { sub: '' },
      ];
      for (const change of changes) await assertRefused({ claims: (claims) => ({ ...claims, ...change }) as JWTPayload });
    });

    it('refuses a subject claim that is missing or not a text', async () => {
      const env = await providerEnv(provider.settings({ subjectClaim: 'oid' }));
      const strict = await startService({ engine, env });
      try {
        for (const oid of [undefined, '', 7, ['x'], 'x'.repeat(256)]) {
          assertProblem(await createBrowser(strict).signIn(provider, newPerson({ oid })), 'provider_invalid');
        }
        const [one, two] = [createBrowser(strict), createBrowser(strict)];
        const person = newPerson({ oid: 'object 1' });
        assertOpens(await one.signIn(provider, person), '/dashboard');
        // Entra's `sub` depends on the application, so the service identifies the person by `oid`.
        assertOpens(await two.signIn(provider, { ...person, sub: 'another sub' }), '/dashboard');
        const idOf = async (cookie: string) => (await call(strict, 'GET', '/api/session', { cookie })).body as { userId: string };
        assert.deepEqual(await idOf(one.cookie), await idOf(two.cookie));
      } finally {
        await strict.close();
      }
    });

    it('mix-up: refuses a response whose iss is missing or names another provider', async () => {
      for (const iss of [other.issuer, 'https://issuer.example', undefined]) {
        const browser = createBrowser(service);
        const back = provider.authorize(await browser.start(), newPerson());
        if (iss === undefined) back.searchParams.delete('iss');
        else back.searchParams.set('iss', iss);
        const seen = provider.requests.length;
        assertProblem(await browser.comeBack(back), 'provider_invalid');
        const sent = provider.requests.slice(seen).filter(({ path }) => path === '/token');
        assert.deepEqual(sent, [], 'the code must not be sent anywhere');
      }
    });

    it('refuses metadata of another issuer, and endpoints that do not use https', async () => {
      const wrong = await startIdentityProvider();
      try {
        const changes = [
          { issuer: provider.issuer },
          { token_endpoint: 'http://id.example/token' },
          { jwks_uri: 'http://id.example/keys' },
        ];
        for (const metadata of [...changes, { id_token_signing_alg_values_supported: ['none', 'HS256'] }]) {
          wrong.misbehavior.metadata = metadata;
          const env = await providerEnv(wrong.settings());
          const strict = await startService({ engine, env });
          const response = await createBrowser(strict).open('/api/session/oidc/sso/start');
          await strict.close();
          assertProblem(response, 'provider_invalid');
        }
      } finally {
        await wrong.close();
      }
    });

    it('accepts a state once, in the browser that started, and only its newest', async () => {
      const person = newPerson();
      const browser = createBrowser(service);
      const back = provider.authorize(await browser.start(), person);
      // The victim of login CSRF has no cookie, or the cookie of another sign-in.
      assertProblem(await createBrowser(service).comeBack(back), 'sign_in_expired');
      const victim = createBrowser(service);
      await victim.start();
      assertProblem(await victim.comeBack(back), 'sign_in_expired');
      const replay = new Map(browser.cookies);
      assertOpens(await browser.comeBack(back), '/dashboard');
      // A thief who copied the cookie and the address uses them after the owner.
      const thief = createBrowser(service);
      for (const [name, value] of replay) thief.cookies.set(name, value);
      const seen = provider.requests.length;
      assertProblem(await thief.comeBack(back), 'sign_in_expired');
      assert.equal(provider.requests.length, seen);

      const tabs = createBrowser(service);
      const first = provider.authorize(await tabs.start(), person);
      const second = provider.authorize(await tabs.start(), person);
      assertProblem(await tabs.comeBack(first), 'sign_in_expired');
      assertOpens(await tabs.comeBack(second), '/dashboard');
    });

    it('code injection: refuses the code of another sign-in', async () => {
      const [attacker, victim] = [createBrowser(service), createBrowser(service)];
      const stolen = provider.authorize(await victim.start(), newPerson()).searchParams.get('code') ?? '';
      const back = provider.authorize(await attacker.start(), newPerson());
      back.searchParams.set('code', stolen);
      assertProblem(await attacker.comeBack(back), 'provider_invalid');
      // Even if the provider does not check the verifier, the code leads to the nonce of another sign-in.
      const next = provider.authorize(await victim.start(), newPerson()).searchParams.get('code') ?? '';
      const forged = provider.authorize(await attacker.start(), newPerson());
      forged.searchParams.set('code', next);
      provider.misbehavior.ignoresPkce = true;
      assertProblem(await attacker.comeBack(forged), 'provider_invalid');
      delete provider.misbehavior.ignoresPkce;
    });

    it('refuses parameters that are sent twice, and a changed or foreign cookie', async () => {
      const browser = createBrowser(service);
      const back = provider.authorize(await browser.start(), newPerson());
      back.searchParams.append('code', 'another');
      assertProblem(await browser.comeBack(back), 'provider_invalid');
      for (const cookie of ['x', 'v1.x.y.z', service.ctx.keyring.seal('{}', 'u_somebody')]) {
        const forger = createBrowser(service);
        const address = provider.authorize(await forger.start(), newPerson());
        forger.cookies.set('promptharbor.oidc', cookie);
        assertProblem(await forger.comeBack(address), 'sign_in_expired');
      }
    });

    it('open redirect: opens only pages of the dashboard', async () => {
      const person = newPerson();
      const targets = [
        'https://evil.example',
        '//evil.example',
        '/\\evil.example',
        '/dashboard\\@evil.example',
        '/dashboard.evil',
        '/api/auth/token',
      ];
      for (const target of [...targets, '/dashboard/%0d%0aset-cookie:x', 'javascript:alert(1)', '/invitations/..//evil.example']) {
        const response = await createBrowser(service).signIn(provider, person, { query: `?next=${encodeURIComponent(target)}` });
        const location = new URL(response.headers.get('location') ?? '', service.url);
        assert.equal(location.origin, service.url, target);
        assert.doesNotMatch(location.pathname, /^\/\/|^\/api|evil$/, target);
      }
      // The address of the callback does not depend on the request.
      const forged = await call(service, 'GET', '/api/session/oidc/sso/start', { headers: { 'x-forwarded-host': 'evil.example' } });
      const address = new URL(forged.headers.get('location') ?? '');
      assert.equal(address.searchParams.get('redirect_uri'), `${service.url}/api/session/oidc/callback`);
    });

    it('3.3.1: uses a __Host- cookie and the address in PUBLIC_URL under https, whatever host the request names', async () => {
      const env = { ...(await providerEnv(provider.settings())), PUBLIC_URL: 'https://prompts.example.com' };
      const secure = await startService({ engine, env });
      try {
        const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
        const response = await call(secure, 'GET', '/api/session/oidc/sso/start', { headers });
        const [cookie = ''] = response.headers.getSetCookie();
        assert.match(cookie, /^__Host-promptharbor\.oidc=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
        const address = new URL(response.headers.get('location') ?? '');
        assert.equal(address.searchParams.get('redirect_uri'), 'https://prompts.example.com/api/session/oidc/callback');
        assert.equal(response.headers.get('cache-control'), 'no-store');
      } finally {
        await secure.close();
      }
    });

    it('6.3.1: slows down an address that fails again and again, before it reaches the provider', async () => {
      const seen = () => provider.requests.filter(({ path }) => path === '/token').length;
      const limited = await startService({ engine, env: await providerEnv(provider.settings()) });
      // The first wait is a second, in which a slow machine might not send the next attempt.
      stopClock();
      try {
        const fail = async () => {
          const browser = createBrowser(limited);
          const back = provider.authorize(await browser.start(), newPerson());
          back.searchParams.set('code', 'guessed');
          return browser.comeBack(back);
        };
        for (let attempt = 0; attempt < 50; attempt += 1) assertProblem(await fail(), 'provider_invalid');
        const before = seen();
        assertProblem(await fail(), 'too_many_attempts');
        assert.equal(seen(), before);
      } finally {
        mock.timers.reset();
        await limited.close();
      }
    });

    it('says what to do if the provider refuses, is unknown or is down', async () => {
      const browser = createBrowser(service);
      const address = new URL(await browser.start());
      const refused = new URL(address.searchParams.get('redirect_uri') ?? '');
      const state = address.searchParams.get('state') ?? '';
      refused.search = String(new URLSearchParams({ error: 'access_denied', error_description: '<b>x</b>', state, iss: provider.issuer }));
      const response = await browser.comeBack(refused);
      assertProblem(response, 'sign_in_canceled');
      assert.doesNotMatch(response.headers.get('location') ?? '', /denied|<b>/);
      assertProblem(await createBrowser(service).open('/api/session/oidc/nobody/start'), 'provider_unknown');
      const down = await startIdentityProvider();
      const later = await startService({ engine, env: await providerEnv(down.settings()) });
      await down.close();
      try {
        assertProblem(await createBrowser(later).open('/api/session/oidc/sso/start'), 'provider_unavailable');
      } finally {
        await later.close();
      }
    });

    it('connects to private addresses only if OUTBOUND_ALLOW names them', async () => {
      const closed = await startService({ engine, env: { ...(await providerEnv(provider.settings())), OUTBOUND_ALLOW: '' } });
      const seen = provider.requests.length;
      try {
        assertProblem(await createBrowser(closed).open('/api/session/oidc/sso/start'), 'provider_unavailable');
        assert.equal(provider.requests.length, seen);
      } finally {
        await closed.close();
      }
    });
  });
}
