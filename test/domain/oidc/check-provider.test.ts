import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkProvider } from '../../../src/domain/oidc/check-provider.ts';
import { createOutbound } from '../../../src/domain/outbound/outbound.ts';
import { loadProviders } from '../../../src/sign-in-settings.ts';
import { clientId, clientSecret, startIdentityProvider } from '../../support/identity-provider.ts';

const redirectUri = 'https://prompts.example.com/api/session/oidc/callback';

describe('promptharbor doctor checks each provider', () => {
  it('says what is correct, and what to change', async (t) => {
    const provider = await startIdentityProvider();
    const outbound = createOutbound({ allow: ['127.0.0.1'] });
    t.after(async () => {
      await outbound.close();
      await provider.close();
    });
    const check = async (env: Record<string, string> = {}) => {
      const given = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: 'Example ID' };
      const [settings] = loadProviders({ ...given, ...env }, 'open', []);
      assert.ok(settings);
      return checkProvider(settings, outbound, redirectUri);
    };
    assert.equal(
      await check(),
      'Example ID: discovery, clock, redirect URI and client are correct; signing out also ends the session at the provider',
    );
    await assert.rejects(check({ OIDC_CLIENT_SECRET: 'wrong' }), /does not accept the client .* Check the client id and the secret/);
    await assert.rejects(check({ OIDC_ISSUER: `${provider.issuer}/` }), /Set exactly this issuer/);
    await assert.rejects(check({ OIDC_ISSUER: 'http://127.0.0.1:1' }), /refused the connection\. Check the issuer/);
    provider.misbehavior.refusedRedirectUri = redirectUri;
    await assert.rejects(check(), (err: Error) => err.message.includes(`Register exactly this redirect URI there: ${redirectUri}`));
    delete provider.misbehavior.refusedRedirectUri;
    provider.misbehavior.clockSeconds = 3600;
    await assert.rejects(check(), /clock of this machine is 3\d\d\d seconds behind/);
  });
});

describe('settings of providers', () => {
  it('names each invalid setting', () => {
    const problemsOf = (env: Record<string, string>) => {
      const problems: string[] = [];
      loadProviders(env, 'open', problems);
      return problems.join('\n');
    };
    assert.equal(problemsOf({}), '');
    assert.match(problemsOf({ OIDC_CLIENT_ID: 'x' }), /OIDC_ISSUER: required/);
    assert.match(problemsOf({ OIDC_ISSUER: 'https://id.example' }), /OIDC_CLIENT_ID: required/);
    for (const issuer of ['http://id.example', 'id.example', 'https://id.example?x=1', 'https://user@id.example']) {
      assert.match(problemsOf({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'x' }), /OIDC_ISSUER: expected a URL/, issuer);
    }
    assert.match(problemsOf({ OIDC_FILE: '/nowhere/providers.yaml' }), /OIDC_FILE: cannot read/);
  });

  it('names each invalid field of the file, with the expected value', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'promptharbor-providers-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'providers.yaml');
    const problemsOf = async (content: string) => {
      await writeFile(path, content);
      const problems: string[] = [];
      loadProviders({ OIDC_FILE: path }, 'open', problems);
      return problems;
    };
    const list = 'OIDC_FILE: expected JSON or YAML with a list "providers"';
    for (const content of ['', 'providers: [', '- id: a']) assert.deepEqual(await problemsOf(content), [list], content);
    assert.deepEqual(await problemsOf('{}'), ['OIDC_FILE: providers is required']);
    assert.deepEqual(await problemsOf('providers: []'), ['OIDC_FILE: providers: expected a list of 1 to 20 providers']);
    const invalid = {
      id: 'a',
      issuer: 'https://id.example',
      domain: 'example.com',
      domains: ['example.com', 'Example.com'],
      registration: true,
      groups: { claim: 'groups', roles: [{ group: 'a', workspace: 'w_1', role: 'owner' }], withoutGroup: 'deny' },
    };
    assert.deepEqual((await problemsOf(JSON.stringify({ providers: [invalid] }))).toSorted(), [
      'OIDC_FILE: providers[0].clientId is required',
      'OIDC_FILE: providers[0].domain is not a known field',
      'OIDC_FILE: providers[0].domains[1]: expected a list of domains in lower-case letters, such as example.com',
      'OIDC_FILE: providers[0].groups.roles[0].role: expected viewer, editor, deployer, admin',
      'OIDC_FILE: providers[0].groups.withoutGroup: expected refuse, allow, or a list of { workspace, role }',
      'OIDC_FILE: providers[0].registration: expected open or closed',
    ]);
  });
});
