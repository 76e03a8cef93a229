import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { advanceClock, callFromPage, isSignedIn, signUp, stopClock } from '../../support/browser.ts';
import { call, register, signIn } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { startIdentityProvider } from '../../support/identity-provider.ts';
import { assertOpens, createBrowser, newPerson, providerEnv } from '../../support/oidc.ts';
import { startService } from '../../support/service.ts';

const codeOf = ({ body }: { body: unknown }) => (body as { code: string }).code;

for (const engine of engines) {
  describe(`settings of sign-in, ${engine.name}`, () => {
    afterEach(() => mock.timers.reset());

    it('7.3.1, 7.3.2: SESSION_IDLE_TIMEOUT and SESSION_LIFETIME end sessions', async (t) => {
      const service = await startService({ engine, env: { SESSION_IDLE_TIMEOUT: '20m', SESSION_LIFETIME: '1h' } });
      t.after(() => service.close());
      stopClock();
      const { cookie: idle } = await signUp(service);
      const { cookie: used } = await signUp(service);
      for (let minutes = 0; minutes < 54; minutes += 6) {
        advanceClock(6 * 60);
        assert.equal(await isSignedIn(service, used), true, `after ${minutes + 6} minutes`);
      }
      assert.equal(await isSignedIn(service, idle), false);
      advanceClock(6 * 60 + 1);
      assert.equal(await isSignedIn(service, used), false);
    });

    it('PASSWORD_SIGN_IN: only the named accounts sign in with a password, and nobody registers with one', async (t) => {
      const provider = await startIdentityProvider();
      const database = await engine.createMigrated();
      const open = await startService({ engine, database });
      const [owner, other] = [await register(open), await register(open)];
      const cookie = await signIn(open, other);
      await open.close();
      const env = { ...(await providerEnv(provider.settings())), PASSWORD_SIGN_IN: owner.email };
      const service = await startService({ engine, database, env });
      t.after(async () => {
        await service.close();
        await database.remove();
        await provider.close();
      });
      assert.deepEqual((await call(service, 'GET', '/api/session/options')).body, {
        providers: [{ id: 'sso', name: 'Example ID', icon: null }],
        password: false,
      });
      await signIn(service, owner);
      for (const path of ['/api/session/sign-in/email', '/api/auth/token']) {
        const { email, password } = other;
        const refused = await callFromPage(service, 'POST', path, { body: { email, password } });
        assert.deepEqual([refused.status, codeOf(refused)], [403, 'password_sign_in_off']);
        // The response reveals whether an account may sign in with a password only if the password is correct.
        const wrong = await callFromPage(service, 'POST', path, { body: { email, password: 'a wrong password' } });
        assert.deepEqual([wrong.status, codeOf(wrong)], [401, 'invalid_credentials']);
      }
      const body = { email: 'new@example.com', password: 'a long enough password' };
      assert.equal(codeOf(await call(service, 'POST', '/api/auth/register', { body })), 'password_sign_in_off');
      assert.equal(codeOf(await callFromPage(service, 'POST', '/api/session/sign-up/email', { body })), 'password_sign_in_off');
      // Keys and sessions keep working.
      assert.equal((await call(service, 'GET', '/api/auth/token', { key: other.token })).status, 200);
      assert.equal(await isSignedIn(service, cookie), true);
    });

    it('6.5.x: a session that is older than 10 minutes links and unlinks nothing, and deletes no account without a password', async (t) => {
      const provider = await startIdentityProvider();
      const service = await startService({ engine, env: await providerEnv(provider.settings()) });
      t.after(async () => {
        await service.close();
        await provider.close();
      });
      stopClock();
      const browser = createBrowser(service);
      const person = newPerson();
      await browser.signIn(provider, person);
      advanceClock(11 * 60);
      const refused = [
        await browser.post('/api/session/oidc/sso/link'),
        await browser.post('/api/session/identities/unlink', { issuer: provider.issuer }),
        await browser.post('/api/session/change-password', { newPassword: 'a long enough password' }),
        await callFromPage(service, 'DELETE', '/api/account', { cookie: browser.cookie, body: {} }),
      ];
      for (const response of refused) assert.deepEqual([response.status, codeOf(response)], [403, 'fresh_sign_in_required']);
      assertOpens(await browser.signIn(provider, person, { query: '?fresh=1' }), '/dashboard');
      const deleted = await callFromPage(service, 'DELETE', '/api/account', { cookie: browser.cookie, body: {} });
      assert.equal(deleted.status, 204, deleted.text);
    });
  });
}
