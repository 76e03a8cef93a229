import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callFromPage, isSignedIn, signUp } from '../../support/browser.ts';
import { call, cookieOf, register } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { newestLink, verifyAddress } from '../../support/links.ts';
import { assertOpens, assertProblem, createBrowser, newPerson, providerEnv } from '../../support/oidc.ts';
import { type Service, startService } from '../../support/service.ts';

interface AccountBody {
  userId: string;
  email: string;
  name: string;
  hasPassword: boolean;
  emailVerified: boolean;
}

for (const engine of engines) {
  describe(`OpenID Connect, ${engine.name}`, { concurrency: true }, () => {
    let provider: IdentityProvider;
    let other: IdentityProvider;
    let service: Service;
    before(async () => {
      [provider, other] = await Promise.all([startIdentityProvider(), startIdentityProvider()]);
      const settings = [provider.settings({ domains: ['corp.example'] }), other.settings({ id: 'other', name: 'Other ID' })];
      service = await startService({ engine, env: await providerEnv(...settings) });
    });
    after(async () => {
      await service?.close();
      await Promise.all([provider?.close(), other?.close()]);
    });

    const accountOf = async (cookie: string) => (await call(service, 'GET', '/api/account', { cookie })).body as AccountBody;

    it('10.x: registers a person who has no account, and signs the same person in again by issuer and subject', async () => {
      const person = newPerson();
      const browser = createBrowser(service);
      const address = new URL(await browser.start('?next=/dashboard/prompts'));
      const { searchParams } = address;
      assert.equal(searchParams.get('redirect_uri'), `${service.url}/api/session/oidc/callback`);
      assert.equal(searchParams.get('code_challenge_method'), 'S256');
      for (const name of ['state', 'nonce', 'code_challenge']) assert.ok((searchParams.get(name) ?? '').length >= 43, name);
      assertOpens(await browser.comeBack(provider.authorize(address.href, person)), '/dashboard/prompts');
      const account = await accountOf(browser.cookie);
      const expected = { email: person.email, name: person.name, hasPassword: false, emailVerified: true };
      assert.deepEqual({ ...account, ...expected }, account);

      // The address and the name change at the provider. The account stays the same.
      const again = createBrowser(service);
      assertOpens(await again.signIn(provider, { ...person, email: `changed-${person.email}`, name: 'Another' }), '/dashboard');
      assert.deepEqual(await accountOf(again.cookie), account);
      assert.doesNotMatch(service.logs(), /eyJ|code_verifier|access_token/);
    });

    it('shows the key of an account without a password in the dashboard only', async () => {
      const person = newPerson();
      const browser = createBrowser(service);
      await browser.signIn(provider, person);
      const { body } = await browser.open('/api/auth/token');
      const { token } = body as { token: string };
      assert.match(token, /^ph_[0-9a-f]{64}$/);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 200);
      for (const password of ['', 'a long enough password']) {
        const refused = await call(service, 'POST', '/api/auth/token', { body: { email: person.email, password } });
        assert.equal(refused.status, 401, refused.text);
        assert.equal((refused.body as { code: string }).code, 'invalid_credentials');
      }
    });

    it('lets an account without a password set one after a fresh sign-in, and then unlink the provider', async () => {
      const person = newPerson();
      const browser = createBrowser(service);
      await browser.signIn(provider, person);
      const refused = await browser.post('/api/session/identities/unlink', { issuer: provider.issuer });
      assert.equal((refused.body as { code: string }).code, 'last_sign_in_method');
      const set = await browser.post('/api/session/change-password', { newPassword: 'a long enough password' });
      assert.equal(set.status, 200, set.text);
      const unlinked = await browser.post('/api/session/identities/unlink', { issuer: provider.issuer });
      assert.equal(unlinked.status, 204, unlinked.text);
      assert.deepEqual((await browser.open('/api/session/identities')).body, { data: [] });
      const { status } = await call(service, 'POST', '/api/auth/token', {
        body: { email: person.email, password: 'a long enough password' },
      });
      assert.equal(status, 200);
    });

    it('does not take an old sign-in at the provider for a fresh one, if the provider states when it was', async () => {
      const browser = createBrowser(service);
      const [now, old] = [Math.floor(Date.now() / 1000), Math.floor(Date.now() / 1000) - 3600];
      const person = newPerson();
      assertOpens(await browser.signIn(provider, { ...person, auth_time: old }), '/dashboard');
      const setPassword = async () =>
        (await browser.post('/api/session/change-password', { newPassword: 'a long enough password' })).status;
      assert.equal(await setPassword(), 403);
      assertProblem(await browser.signIn(provider, { ...person, auth_time: old }, { query: '?fresh' }), 'sign_in_not_fresh');
      assert.equal(await setPassword(), 403);
      assertOpens(await browser.signIn(provider, { ...person, auth_time: now }, { query: '?fresh' }), '/dashboard');
      assert.equal(await setPassword(), 200);
      assertOpens(await browser.signIn(provider, { ...newPerson(), auth_time: 1e300 }), '/dashboard');
      assertProblem(await browser.signIn(provider, { ...newPerson(), auth_time: 'yesterday' }), 'provider_invalid');
    });

    it('refuses the first address of another domain, and an address that the provider has not verified', async () => {
      for (const change of [{ email: 'mallory@elsewhere.example' }, { email_verified: false }, { email_verified: 'true' }]) {
        assertProblem(await createBrowser(service).signIn(provider, newPerson(change)), 'email_refused');
      }
      const { email_verified: _, ...unstated } = newPerson();
      assertProblem(await createBrowser(service).signIn(provider, unstated as ReturnType<typeof newPerson>), 'email_refused');
      assertProblem(await createBrowser(service).signIn(other, { sub: 'nobody' }, { id: 'other' }), 'email_missing');
    });

    it('links an existing account by its address only if both sides have verified it and the operator named the domain', async () => {
      const person = newPerson();
      const account = await register(service, { email: person.email });
      // The account of this address may belong to a stranger who registered it in advance.
      assertProblem(await createBrowser(service).signIn(provider, person), 'identity_unlinked');
      await verifyAddress(service, account);
      // The operator has named no domain of the other provider.
      assertProblem(await createBrowser(service).signIn(other, person, { id: 'other' }), 'identity_unlinked');
      const browser = createBrowser(service);
      assertOpens(await browser.signIn(provider, person), '/dashboard');
      const linked = await accountOf(browser.cookie);
      assert.deepEqual([linked.userId, linked.hasPassword], [account.userId, true]);
    });

    it('links from Settings after a fresh sign-in, each identity to one account', async () => {
      const account = await signUp(service);
      const person = newPerson({ email: 'other-address@elsewhere.example' });
      const browser = createBrowser(service);
      for (const pair of account.cookie.split('; ')) browser.cookies.set(...(pair.split(/=(.*)/s).slice(0, 2) as [string, string]));
      const started = await browser.post('/api/session/oidc/other/link');
      assert.equal(started.status, 200, started.text);
      const { url } = started.body as { url: string };
      assertOpens(await browser.comeBack(other.authorize(url, person)), '/dashboard/settings/security');
      const { data } = (await browser.open('/api/session/identities')).body as { data: { provider: string; email: string }[] };
      assert.deepEqual(
        data.map(({ provider: id, email }) => [id, email]),
        [['other', person.email]],
      );

      const another = createBrowser(service);
      assertOpens(await another.signIn(other, person, { id: 'other' }), '/dashboard');
      assert.equal((await accountOf(another.cookie)).userId, account.userId);

      const stranger = await signUp(service);
      const thief = createBrowser(service);
      for (const pair of stranger.cookie.split('; ')) thief.cookies.set(...(pair.split(/=(.*)/s).slice(0, 2) as [string, string]));
      const { url: taken } = (await thief.post('/api/session/oidc/other/link')).body as { url: string };
      assertProblem(await thief.comeBack(other.authorize(taken, person)), 'identity_taken', '/dashboard/settings/security');
    });

    it('login CSRF: links nothing for another session than the one that started', async () => {
      const [victim, attacker] = await Promise.all([signUp(service), signUp(service)]);
      const person = newPerson();
      const browser = createBrowser(service);
      browser.cookies.set(...(attacker.cookie.split(/=(.*)/s).slice(0, 2) as [string, string]));
      const { url } = (await browser.post('/api/session/oidc/other/link')).body as { url: string };
      browser.cookies.set(...(victim.cookie.split(/=(.*)/s).slice(0, 2) as [string, string]));
      assertProblem(await browser.comeBack(other.authorize(url, person)), 'session_changed', '/dashboard/settings/security');
      for (const { cookie } of [victim, attacker]) {
        assert.deepEqual((await call(service, 'GET', '/api/session/identities', { cookie })).body, { data: [] });
      }
      const crossSite = await call(service, 'POST', '/api/session/oidc/other/link', {
        cookie: victim.cookie,
        headers: { origin: 'https://attacker.example' },
      });
      assert.equal(crossSite.status, 403);
    });

    it('never restores a deleted account, its key or its data', async () => {
      const person = newPerson();
      const browser = createBrowser(service);
      await browser.signIn(provider, person);
      const before = await accountOf(browser.cookie);
      const { token } = (await browser.open('/api/auth/token')).body as { token: string };
      const deleted = await callFromPage(service, 'DELETE', '/api/account', { cookie: browser.cookie, body: {} });
      assert.equal(deleted.status, 204, deleted.text);
      assert.equal(await isSignedIn(service, browser.cookie), false);
      const again = createBrowser(service);
      assertOpens(await again.signIn(provider, person), '/dashboard');
      assert.notEqual((await accountOf(again.cookie)).userId, before.userId);
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: token })).status, 401);
    });

    it('6.3.7: the first proof of an address removes the identities of whoever used the account before', async () => {
      const stranger = createBrowser(service);
      const email = 'victim@elsewhere.example';
      await stranger.signIn(other, newPerson({ email }), { id: 'other' });
      const { userId, emailVerified } = await accountOf(stranger.cookie);
      assert.equal(emailVerified, false);
      await call(service, 'POST', '/api/session/forgot-password', { body: { email }, headers: { origin: service.url } });
      const token = await newestLink(service, { userId }, 'reset');
      const reset = await callFromPage(service, 'POST', '/api/session/reset-password', {
        body: { token, newPassword: 'a long enough password' },
      });
      assert.equal(reset.status, 204, reset.text);
      assert.equal(await isSignedIn(service, stranger.cookie), false);
      const owner = await callFromPage(service, 'POST', '/api/session/sign-in/email', {
        body: { email, password: 'a long enough password' },
      });
      const { body } = await call(service, 'GET', '/api/session/identities', { cookie: cookieOf(owner) });
      assert.deepEqual(body, { data: [] });
    });

    it('signs out here and names the page that signs out at the provider, without a token in it', async () => {
      const browser = createBrowser(service);
      await browser.signIn(provider, newPerson());
      const cookie = browser.cookie;
      const { body } = await browser.post('/api/session/oidc/sign-out');
      const url = new URL((body as { url: string }).url);
      assert.equal(`${url.origin}${url.pathname}`, `${provider.issuer}/logout`);
      assert.deepEqual(Object.fromEntries(url.searchParams), {
        client_id: 'promptharbor',
        post_logout_redirect_uri: `${service.url}/login`,
      });
      assert.equal(await isSignedIn(service, cookie), false);
      const local = await signUp(service);
      const left = await callFromPage(service, 'POST', '/api/session/oidc/sign-out', { cookie: local.cookie });
      assert.deepEqual(left.body, { url: null });
    });
  });
}
