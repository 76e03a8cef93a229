import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isSignedIn } from '../../support/browser.ts';
import { call, signIn } from '../../support/client.ts';
import { type Engine, engines, postgres, type TestDatabase } from '../../support/engines.ts';
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts';
import { assertOpens, assertProblem, createBrowser, newPerson, providerEnv } from '../../support/oidc.ts';
import { type Client, newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';

for (const engine of engines) {
  describe(`groups of a provider decide roles, ${engine.name}`, () => {
    let provider: IdentityProvider;
    let database: TestDatabase;
    let service: Service;
    let owner: Client;
    let team: string;

    const signInWith = async (groups: unknown, person = newPerson()) => {
      const browser = createBrowser(service);
      return { browser, person, response: await browser.signIn(provider, { ...person, groups }) };
    };
    const roleIn = async (workspace: string, cookie: string) => {
      const { status, body } = await call(service, 'GET', '/api/workspaces', { cookie });
      assert.equal(status, 200);
      return (body as { data: { id: string; role: string }[] }).data.find(({ id }) => id === workspace)?.role;
    };

    before(async () => {
      provider = await startIdentityProvider();
      database = await engine.createMigrated();
      service = await startService({ engine, database });
      owner = await newClient(service);
      const { body } = await owner.call('POST', '/api/workspaces', { name: 'Support' });
      team = (body as { id: string }).id;
      await service.close();
      service = await startService({ engine, database, env: await providerEnv(settings()) });
    });
    after(async () => {
      await service?.close();
      await database?.remove();
      await provider?.close();
    });

    function settings(more: object = {}) {
      const roles = [
        { group: 'readers', workspace: team, role: 'viewer' },
        { group: 'writers', workspace: team, role: 'editor' },
        { group: 'owners', workspace: 'w_missing', role: 'admin' },
      ];
      return provider.settings({ groups: { claim: 'groups', roles, ...more } });
    }

    it('gives the highest role of all groups, and changes it at the next sign-in', async () => {
      const { browser, person, response } = await signInWith(['readers', 'unknown', 'writers']);
      assertOpens(response, '/dashboard');
      assert.equal(await roleIn(team, browser.cookie), 'editor');
      await signInWith('readers', person);
      assert.equal(await roleIn(team, browser.cookie), 'viewer', 'the role of an open session changes too');
    });

    it('removes a person without a group at once, ends the sessions and refuses the sign-in', async () => {
      const { browser, person } = await signInWith(['writers']);
      const { token } = (await browser.open('/api/auth/token')).body as { token: string };
      const inTeam = () => call(service, 'GET', '/api/prompts', { key: token, headers: { 'promptharbor-workspace': team } });
      assert.equal((await inTeam()).status, 200);
      for (const groups of [[], undefined, ['Writers'], [{ name: 'writers' }]]) {
        assertProblem((await signInWith(groups, person)).response, 'group_required');
      }
      assert.equal((await inTeam()).status, 404);
      assert.equal(await isSignedIn(service, browser.cookie), false);
      // `iat` has whole seconds, so a sign-in in the same second as the refusal could count as older than the refusal.
      const again = await signInWith(['readers'], { ...person, iat: Math.floor(Date.now() / 1000) + 60 });
      assert.equal(await roleIn(team, again.browser.cookie), 'viewer');
    });

    it('registers nobody without a group, and tells the operator why', async () => {
      const { person, response } = await signInWith(['unknown']);
      assertProblem(response, 'group_required');
      assert.equal(await service.ctx.store.accounts.findByEmail(person.email), undefined);
      assert.match(service.logs(), /"provider":"sso","reason":"group_required","msg":"a sign-in with a provider failed"/);
      assert.ok(!service.logs().includes(person.email));
    });

    it('does not take a missing list for an empty one if the provider says that it left it out', async () => {
      const { browser, person } = await signInWith(['writers']);
      const left = { ...person, _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } };
      assertProblem((await signInWith(undefined, left)).response, 'groups_missing');
      assert.equal(await roleIn(team, browser.cookie), 'editor');
    });

    it('never changes or removes the owner', async () => {
      const browser = createBrowser(service);
      for (const pair of (await signIn(service, owner)).split('; ')) {
        const [name = '', value = ''] = pair.split(/=(.*)/s);
        browser.cookies.set(name, value);
      }
      const person = newPerson({ groups: ['readers'] });
      const { url } = (await browser.post('/api/session/oidc/sso/link')).body as { url: string };
      assertOpens(await browser.comeBack(provider.authorize(url, person)), '/dashboard/settings/security');
      assertOpens(await createBrowser(service).signIn(provider, person), '/dashboard');
      assert.equal(await roleIn(team, browser.cookie), 'owner');
      assertProblem(await createBrowser(service).signIn(provider, { ...person, groups: [] }), 'group_required');
      assert.equal(await roleIn(team, await signIn(service, owner)), 'owner');
    });

    it('signs a person in whose group names a workspace that does not exist, and tells the operator', async () => {
      await service.close();
      const groups = { claim: 'groups', roles: [{ group: 'readers', workspace: 'w_none', role: 'viewer' }] };
      service = await startService({ engine, database, env: await providerEnv(provider.settings({ groups })) });
      assertOpens((await signInWith(['readers'])).response, '/dashboard');
      assert.match(
        service.logs(),
        /"reason":"u_\w+ in w_none: There is no such workspace","msg":"a role that a group requires was not assigned"/,
      );
      assert.ok(!service.logs().includes('a sign-in with a provider failed'));
    });

    it('can admit people without a group, with or without a default role', async () => {
      const choices = [
        { withoutGroup: 'allow', expected: undefined },
        { withoutGroup: [{ workspace: team, role: 'viewer' }], expected: 'viewer' },
      ];
      for (const { withoutGroup, expected } of choices) {
        await service.close();
        service = await startService({ engine, database, env: await providerEnv(settings({ withoutGroup })) });
        const { browser, response } = await signInWith([]);
        assertOpens(response, '/dashboard');
        assert.equal(await roleIn(team, browser.cookie), expected);
      }
    });
  });
}

describe('access that a provider ends, on three instances', () => {
  it('8.3.2: a removed group and a back-channel logout end access everywhere with no stale accept', async (t) => {
    const engine: Engine = postgres;
    const provider = await startIdentityProvider();
    const database = await engine.createMigrated();
    const first = await startService({ engine, database });
    const owner = await newClient(first);
    const { body } = await owner.call('POST', '/api/workspaces', { name: 'Support' });
    const team = (body as { id: string }).id;
    await first.close();
    const groups = { claim: 'groups', roles: [{ group: 'writers', workspace: team, role: 'editor' }], withoutGroup: 'allow' };
    const env = await providerEnv(provider.settings({ groups }));
    const instances = await Promise.all([1, 2, 3].map(() => startService({ engine, database, env })));
    t.after(async () => {
      for (const instance of instances) await instance.close();
      await database.remove();
      await provider.close();
    });
    const [one, two, three] = instances;
    assert.ok(one && two && three);
    const person = newPerson({ groups: ['writers'], sid: 'session 1' });
    const browser = createBrowser(one);
    await browser.signIn(provider, person);
    const { token } = (await browser.open('/api/auth/token')).body as { token: string };
    const headers = { 'promptharbor-workspace': team };
    const statusesByKey = () =>
      Promise.all(instances.map(async (each) => (await call(each, 'GET', '/api/prompts', { key: token, headers })).status));
    const statusesBySession = () => Promise.all(instances.map((each) => isSignedIn(each, browser.cookie)));
    assert.deepEqual(await statusesByKey(), [200, 200, 200]);
    assert.deepEqual(await statusesBySession(), [true, true, true]);

    await createBrowser(two).signIn(provider, { ...person, groups: [], sid: 'session 2' });
    assert.deepEqual(await statusesByKey(), [404, 404, 404]);

    const text = `logout_token=${await provider.logoutToken({ sub: person.sub, sid: 'session 1' })}`;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status } = await call(three, 'POST', '/api/session/oidc/backchannel-logout', { text, headers: form });
    assert.equal(status, 200);
    assert.deepEqual(await statusesBySession(), [false, false, false]);
  });
});
