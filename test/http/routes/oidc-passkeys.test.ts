import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callFromPage, isSignedIn, signUp } from '../../support/browser.ts';
import { type ApiResponse, call, cookieOf, register } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { verifyAddress } from '../../support/links.ts';
import { assertOpens, assertProblem, createBrowser, newPerson, providerEnv } from '../../support/oidc.ts';
import { addPasskey, signInByPasskey } from '../../support/passkeys.ts';
import { type Service, startService } from '../../support/service.ts';

for (const engine of engines) {
  describe(`Providers, passkeys and passwords together, ${engine.name}`, () => {
    let provider: IdentityProvider;
    let service: Service;
    before(async () => {
      provider = await startIdentityProvider();
      service = await startService({ engine, env: await providerEnv(provider.settings({ domains: ['corp.example'] })) });
    });
    after(async () => {
      await service?.close();
      await provider?.close();
    });

    const page = (method: string, path: string, cookie: string, body?: unknown) => callFromPage(service, method, path, { cookie, body });
    const unlink = (cookie: string) => page('POST', '/api/session/identities/unlink', cookie, { issuer: provider.issuer });
    const remove = (cookie: string, id: string) => page('DELETE', `/api/account/passkeys/${id}`, cookie);
    const setPassword = (cookie: string, body: object) => page('POST', '/api/session/change-password', cookie, body);
    const signInAtProvider = async (person = newPerson()) => {
      const browser = createBrowser(service);
      assertOpens(await browser.signIn(provider, person), '/dashboard');
      return browser.cookie;
    };

    it('a passkey is another way in: it lets the user unlink the provider, and is then the one that stays', async () => {
      const cookie = await signInAtProvider();
      const { passkey, device } = await addPasskey(service, { cookie });
      assert.equal((await unlink(cookie)).status, 204);
      assertCode(await remove(cookie, passkey.id), 409, 'last_sign_in_method');
      assert.equal(await isSignedIn(service, cookieOf(await signInByPasskey(service, device))), true);
      assert.equal((await setPassword(cookie, { newPassword: 'a long enough password' })).status, 200);
    });

    it('removes the last passkey of an account without a password that has a provider, and refuses to unlink that one', async () => {
      const cookie = await signInAtProvider();
      const { passkey } = await addPasskey(service, { cookie });
      assert.equal((await remove(cookie, passkey.id)).status, 204);
      assertCode(await unlink(cookie), 409, 'last_sign_in_method');
    });

    it('of the last two ways in, exactly one can be removed, even concurrently', async () => {
      const cookie = await signInAtProvider();
      const { passkey } = await addPasskey(service, { cookie });
      const concurrent = await Promise.all([unlink(cookie), remove(cookie, passkey.id)]);
      // The requests are repeated, because the database may have been too busy for one of them.
      const responses = [...concurrent, await unlink(cookie), await remove(cookie, passkey.id)];
      const texts = responses.map(({ status, text }) => `${status} ${text}`).join();
      assert.equal(responses.filter(({ status }) => status === 204).length, 1, texts);
    });

    it('a password is no way in where the service refuses it, and a passkey still signs in', async () => {
      const strict = await startService({ engine, env: { ...(await providerEnv(provider.settings())), PASSWORD_SIGN_IN: 'off' } });
      try {
        const browser = createBrowser(strict);
        await browser.signIn(provider, newPerson());
        const { cookie } = browser;
        const changed = await browser.post('/api/session/change-password', { newPassword: 'a long enough password' });
        assert.equal(changed.status, 200, changed.text);
        assertCode(await browser.post('/api/session/identities/unlink', { issuer: provider.issuer }), 409, 'last_sign_in_method');
        const { device } = await addPasskey(strict, { cookie: browser.cookie });
        assert.notEqual(browser.cookie, cookie);
        assert.equal(await isSignedIn(strict, cookieOf(await signInByPasskey(strict, device))), true);
      } finally {
        await strict.close();
      }
    });

    it('does not link an account with a passkey by its address', async () => {
      const person = newPerson();
      const { email, password, userId } = await register(service, { email: person.email });
      await verifyAddress(service, { userId, email, password });
      const cookie = cookieOf(await callFromPage(service, 'POST', '/api/session/sign-in/email', { body: { email, password } }));
      await addPasskey(service, { cookie });
      assertProblem(await createBrowser(service).signIn(provider, person), 'identity_unlinked');
      assert.deepEqual((await page('GET', '/api/session/identities', cookie)).body, { data: [] });
    });

    it('400: an account with a password cannot change it without the current one, even after a fresh sign-in', async () => {
      const { cookie } = await signUp(service);
      const refused = await setPassword(cookie, { newPassword: 'another long password' });
      assert.equal(refused.status, 400, refused.text);
      assert.equal(await isSignedIn(service, cookie), true);
    });

    it('a logout token also ends the session in which the person has set a password', async () => {
      const person = newPerson();
      const cookie = await signInAtProvider(person);
      const changed = await setPassword(cookie, { newPassword: 'a long enough password' });
      assert.equal(await isSignedIn(service, cookieOf(changed)), true);
      const text = `logout_token=${await provider.logoutToken({ sub: person.sub })}`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const ended = await call(service, 'POST', '/api/session/oidc/backchannel-logout', { text, headers });
      assert.equal(ended.status, 200, ended.text);
      assert.equal(await isSignedIn(service, cookieOf(changed)), false);
    });

    it('returns to the page that approves a sign-in of the command line', async () => {
      const next = '/cli?code=ABCD-EFGH';
      const response = await createBrowser(service).signIn(provider, newPerson(), { query: `?next=${encodeURIComponent(next)}` });
      assertOpens(response, next);
    });
  });
}

function assertCode(response: ApiResponse, status: number, code: string): void {
  assert.deepEqual([response.status, (response.body as { code?: string }).code], [status, code], response.text);
}
