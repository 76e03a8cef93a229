import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isSignedIn } from '../../support/browser.ts';
import { call } from '../../support/client.ts';
import { engines, type TestDatabase } from '../../support/engines.ts';
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { assertOpens, assertProblem, createBrowser, newPerson, providerEnv } from '../../support/oidc.ts';
import { type Service, startService } from '../../support/service.ts';

const now = () => Math.floor(Date.now() / 1000);
const password = 'a long enough password';

for (const engine of engines) {
  describe(`sessions that a provider ends while others start, ${engine.name}`, () => {
    let provider: IdentityProvider;
    let database: TestDatabase;
    let service: Service;
    before(async () => {
      provider = await startIdentityProvider();
      database = await engine.createMigrated();
      const groups = { claim: 'groups', roles: [{ group: 'writers', workspace: 'w_missing', role: 'editor' }] };
      service = await startService({ engine, database, env: await providerEnv(provider.settings({ groups })) });
    });
    after(async () => {
      await service?.close();
      await database?.remove();
      await provider?.close();
    });

    async function logOut(claims: Record<string, unknown>): Promise<number> {
      const text = `logout_token=${await provider.logoutToken(claims)}`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return (await call(service, 'POST', '/api/session/oidc/backchannel-logout', { text, headers })).status;
    }

    const newWriter = (more: object = {}) => newPerson({ groups: ['writers'], ...more });

    it('ends the session that replaces another one when the password changes', async (t) => {
      const person = newWriter({ sid: 'replaced' });
      const browser = createBrowser(service);
      assertOpens(await browser.signIn(provider, person), '/dashboard');
      const { accounts } = service.ctx.store;
      const { replacePassword } = accounts;
      t.after(() => Object.assign(accounts, { replacePassword }));
      // The logout token arrives after the password was changed and before the response.
      Object.assign(accounts, {
        replacePassword: async (...args: Parameters<typeof replacePassword>) => {
          const changed = await replacePassword(...args);
          assert.equal(await logOut({ sid: person.sid }), 200);
          return changed;
        },
      });
      await browser.post('/api/session/change-password', { newPassword: password });
      assert.equal(await isSignedIn(service, browser.cookie), false);
    });

    it('never starts a session of a session at the provider that has ended, however new the id token is', async () => {
      const person = newWriter({ sid: 'ended' });
      assert.equal(await logOut({ sid: person.sid }), 200);
      assertProblem(await createBrowser(service).signIn(provider, { ...person, iat: now() + 60 }), 'sign_in_expired');
      assertOpens(await createBrowser(service).signIn(provider, { ...person, sid: 'next', iat: now() + 60 }), '/dashboard');
    });

    it('ends a session whose id at the provider is long, and refuses ids and times that cannot be stored', async () => {
      const person = newWriter({ sid: 'a long id '.repeat(100) });
      const browser = createBrowser(service);
      assertOpens(await browser.signIn(provider, person), '/dashboard');
      assert.equal(await logOut({ sid: person.sid }), 200);
      assert.equal(await isSignedIn(service, browser.cookie), false);
      for (const odd of [{ sid: 'x'.repeat(2001) }, { sid: 'a\0b' }, { sub: 'a\0b' }, { sub: '\uD800' }, { iat: 1e300 }, { iat: -1e300 }]) {
        assertProblem(await createBrowser(service).signIn(provider, newWriter(odd)), 'provider_invalid');
      }
    });

    it('refuses the sign-in in progress of a person whose groups the provider has removed since', async () => {
      const person = newWriter();
      const known = createBrowser(service);
      assertOpens(await known.signIn(provider, person), '/dashboard');
      provider.misbehavior.token = async (signed) => {
        provider.misbehavior.token = undefined;
        assertProblem(await createBrowser(service).signIn(provider, { ...person, groups: [] }), 'group_required');
        return signed;
      };
      const late = createBrowser(service);
      assertProblem(await late.signIn(provider, person), 'sign_in_expired');
      assert.deepEqual([await isSignedIn(service, known.cookie), await isSignedIn(service, late.cookie)], [false, false]);
      assertOpens(await createBrowser(service).signIn(provider, { ...person, iat: now() + 60 }), '/dashboard');
    });
  });
}
