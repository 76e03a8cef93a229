import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkProvider } from '../../../src/domain/oidc/check-provider.ts';
import { createOutbound } from '../../../src/domain/outbound/outbound.ts';
import { loadProviders } from '../../../src/sign-in-settings.ts';
import { clientId, clientSecret, startIdentityProvider } from '../../support/identity-provider.ts';

const redirectUri = 'https://prompts.example.com/api/session/oidc/callback';

describe('promptharbor doctor checks each provider', () => {
  it('says what is correct, and in words what to change', async (t) => {
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
});
