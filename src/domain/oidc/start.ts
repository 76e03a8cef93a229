import { AppError } from '../../errors.ts';
import { isSecure } from '../../sign-in-settings.ts';
import type { SessionActor } from '../actor.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { safePage, sealFlow } from './flows.ts';
import type { WithProviders } from './providers.ts';

interface Start {
  provider: string;
  redirectUri: string;
  next: string | undefined;
  /** Whether the person must sign in again, even if they already have a session at the provider. */
  isFresh?: boolean;
  /** The session whose account gets the identity. */
  linker?: SessionActor;
}

/** Returns the address at which a person signs in at a provider, and the cookie that the browser has to bring back. */
export async function startProviderSignIn(
  ctx: WithKeyring & WithProviders,
  { provider: id, redirectUri, next, isFresh = false, linker }: Start,
): Promise<{ url: string; cookie: string }> {
  const { settings, config } = await ctx.providers.get(id);
  const client = await import('openid-client');
  const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: settings.scopes.join(' '),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isFresh && { max_age: '0' }),
  });
  if (!isSecure(url)) throw new AppError('provider_invalid');
  const link = linker && { accountId: linker.accountId, sessionId: linker.sessionId };
  return { url: url.href, cookie: sealFlow(ctx, { provider: id, state, nonce, verifier, next: safePage(next), isFresh, link }) };
}
