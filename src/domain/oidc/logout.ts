import { AppError } from '../../errors.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { signOut } from '../accounts/sessions.ts';
import type { Client } from '../actor.ts';
import { toStorable } from '../ids.ts';
import { digestToken } from '../secrets/tokens.ts';
import { tokenAlgorithms, type WithProviders } from './providers.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const maxTokenLength = 8192;
/** The time for which a logout token is accepted after it was issued. Clocks may differ by the tolerance. */
const maxAgeSeconds = 120;
const toleranceSeconds = 30;

/**
 * Signs the person out. Returns the address at which the browser ends the person's session at the provider, or null if the session did not
 * come from a provider that supports this.
 */
export async function signOutEverywhere(
  ctx: WithAudit & WithProviders,
  { token, client, returnTo }: { token: string; client: Client; returnTo: string },
): Promise<string | null> {
  const issuer = await signOut(ctx, token, client);
  const settings = issuer === undefined ? undefined : ctx.providers.findByIssuer(issuer);
  if (settings?.signOut !== 'provider') return null;
  try {
    const { config } = await ctx.providers.get(settings.id);
    if (config.serverMetadata().end_session_endpoint === undefined) return null;
    const { buildEndSessionUrl } = await import('openid-client');
    return buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href;
  } catch {
    // The person is already signed out of this service. An unavailable provider must not make the sign-out fail.
    return null;
  }
}

/** Ends the sessions that a provider's logout token names. Throws unless the token is genuine and was not used before. */
export async function acceptLogoutToken(ctx: WithAudit & WithProviders, token: string, client: Client): Promise<void> {
  const ended = await ctx.store.identities.acceptLogout(await verifyLogoutToken(ctx, token));
  if (!ended) throw new AppError('invalid_logout_token');
  for (const accountId of ended) ctx.audit({ type: 'sessions_ended', accountId, client });
}

async function verifyLogoutToken(ctx: WithAudit & WithProviders, token: string) {
  const jose = await import('jose');
  const invalid = (cause?: unknown) => new AppError('invalid_logout_token', { cause });
  if (token.length > maxTokenLength) throw invalid();
  // The issuer is only used to choose the provider, whose key then decides whether the token is genuine.
  const stated = readIssuer(jose, token);
  const provider = stated === undefined ? undefined : ctx.providers.findByIssuer(stated);
  if (!provider) throw invalid();
  const keys = await ctx.providers.getKeys(provider.id);
  const { payload } = await jose
    .jwtVerify(token, keys, {
      issuer: provider.issuer,
      audience: provider.clientId,
      algorithms: tokenAlgorithms,
      requiredClaims: ['iat', 'jti', 'events'],
      maxTokenAge: maxAgeSeconds,
      clockTolerance: toleranceSeconds,
    })
    .catch((err: unknown) => {
      throw invalid(err);
    });
  const { sub, sid, jti, events, nonce, iat = 0 } = payload;
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent);
  if (!isLogout || nonce !== undefined || typeof jti !== 'string') throw invalid();
  const subject = typeof sub === 'string' && sub !== '' ? toStorable(sub) : undefined;
  const sessionId = typeof sid === 'string' && sid !== '' ? toStorable(sid) : undefined;
  if (!subject && !sessionId) throw invalid();
  const issuedAt = new Date(iat * 1000);
  return { issuer: provider.issuer, subject, sessionId, digest: digestToken(`logout ${provider.issuer} ${jti}`), issuedAt };
}

function readIssuer(jose: typeof import('jose'), token: string): string | undefined {
  try {
    return jose.decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
