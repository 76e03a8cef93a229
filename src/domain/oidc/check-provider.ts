import type { ProviderSettings } from '../../sign-in-settings.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { describeFailure, discover, type LoadedProvider } from './providers.ts';

const timeoutMs = 10_000;
const maxClockDifferenceSeconds = 20;

/** Checks whether people can sign in at a provider, and describes the result. Throws an error that says what to change. */
export async function checkProvider(settings: ProviderSettings, outbound: Outbound, redirectUri: string): Promise<string> {
  const provider = await discover(settings, outbound).catch((err: unknown) => {
    throw new Error(`${settings.issuer} cannot be used: ${describeFailure(err).reason}. Check the issuer and OUTBOUND_ALLOW.`);
  });
  await checkClock(settings, outbound);
  await checkRedirectUri(provider, outbound, redirectUri);
  await checkClient(provider, redirectUri);
  const endsThere = settings.signOut === 'provider' && provider.config.serverMetadata().end_session_endpoint !== undefined;
  const logout = endsThere ? 'also ends the session at the provider' : 'ends only the session of this service';
  return `${settings.name}: discovery, clock, redirect URI and client are correct; signing out ${logout}`;
}

async function checkClock({ id, issuer }: ProviderSettings, outbound: Outbound): Promise<void> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const request = { workspaceId: `provider ${id}`, url, method: 'GET' as const, headers: { accept: 'application/json' }, timeoutMs };
  const { date = '' } = await outbound.readJson(request, AbortSignal.timeout(timeoutMs));
  const seconds = Math.round((Date.now() - Date.parse(date)) / 1000);
  if (Math.abs(seconds) <= maxClockDifferenceSeconds || Number.isNaN(seconds)) return;
  const direction = seconds > 0 ? 'ahead of' : 'behind';
  throw new Error(`The clock of this machine is ${Math.abs(seconds)} seconds ${direction} that of the provider. Synchronize it with NTP.`);
}

/** Most providers refuse an unknown client or redirect URI before they show a page. */
async function checkRedirectUri({ settings, config }: LoadedProvider, outbound: Outbound, redirectUri: string): Promise<void> {
  const client = await import('openid-client');
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: settings.scopes.join(' '),
    state: client.randomState(),
    nonce: client.randomNonce(),
    code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  });
  const request = {
    workspaceId: `provider ${settings.id}`,
    url: url.href,
    method: 'GET' as const,
    headers: { accept: 'text/html' },
    timeoutMs,
  };
  const { status } = await outbound.request(request).catch((err: unknown) => {
    throw err instanceof OutboundError ? new Error(`The sign-in page of ${settings.name} cannot be opened: ${err.message}.`) : err;
  });
  if (status < 400) return;
  throw new Error(
    `${settings.name} refused to start a sign-in (${status}). Register exactly this redirect URI there: ${redirectUri}. Check the client id and the scopes ${settings.scopes.join(' ')}.`,
  );
}

/** Sends a code that does not exist. A provider that accepts the client refuses only the code. */
async function checkClient({ settings, config }: LoadedProvider, redirectUri: string): Promise<void> {
  const client = await import('openid-client');
  const parameters = { code: 'promptharbor-doctor', redirect_uri: redirectUri, code_verifier: client.randomPKCECodeVerifier() };
  try {
    await client.genericGrantRequest(config, 'authorization_code', parameters);
  } catch (err) {
    const code = err instanceof Error && 'error' in err ? String(err.error) : '';
    if (code === 'invalid_client' || code === 'unauthorized_client') {
      throw new Error(`${settings.name} does not accept the client “${settings.clientId}” (${code}). Check the client id and the secret.`);
    }
  }
}
