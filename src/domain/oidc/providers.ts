import type { FetchImplementation, JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';
import { AppError } from '../../errors.ts';
import { isLoopback, isSecure, type PasswordSignIn, type ProviderSettings } from '../../sign-in-settings.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { createProviderFetch } from './provider-fetch.ts';

export interface WithProviders {
  providers: Providers;
  passwordSignIn: PasswordSignIn;
}

export type Providers = ReturnType<typeof createProviders>;

/** A provider whose metadata has been loaded. */
export interface LoadedProvider {
  settings: ProviderSettings;
  config: Configuration;
}

/** The signature algorithms of tokens that are accepted. All are asymmetric, so a public key can never serve as a shared secret. */
export const tokenAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

const reloadAfterMs = 60 * 60 * 1000;

interface ProvidersOptions {
  outbound: Outbound;
  /** Tells the operator why a sign-in failed. */
  onFailure(provider: string, reason: string): void;
  /** Tells the operator that a person did not get the role that a group grants. */
  onRefusedRole(provider: string, reason: string): void;
}

/**
 * Gives access to the providers at which people can sign in. The metadata of a provider is loaded when it is first needed, and again after
 * an hour.
 */
export function createProviders(list: ProviderSettings[], { outbound, onFailure, onRefusedRole }: ProvidersOptions) {
  const loaded = new Map<string, { at: number; provider: Promise<LoadedProvider> }>();
  const keys = new Map<string, { uri: string; keys: JWTVerifyGetKey }>();

  function load(settings: ProviderSettings): Promise<LoadedProvider> {
    const known = loaded.get(settings.id);
    if (known && Date.now() - known.at < reloadAfterMs) return known.provider;
    const provider = discover(settings, outbound);
    loaded.set(settings.id, { at: Date.now(), provider });
    provider.catch(() => loaded.delete(settings.id));
    return provider;
  }

  async function get(id: string): Promise<LoadedProvider> {
    const settings = list.find((provider) => provider.id === id);
    if (!settings) throw new AppError('provider_unknown');
    try {
      return await load(settings);
    } catch (err) {
      throw refuse(settings.id, err);
    }
  }

  function refuse(id: string, err: unknown): AppError {
    if (err instanceof AppError) return err;
    const { code, reason } = describeFailure(err);
    onFailure(id, reason);
    return new AppError(code, { cause: err });
  }

  return {
    list,
    /** Returns a provider with its metadata. Throws an error that the caller may see. */
    get,
    /** Tells the operator why a provider could not be used, and returns the error for the caller. */
    refuse,
    onRefusedRole,
    findByIssuer: (issuer: string) => list.find((provider) => provider.issuer === issuer),

    /**
     * Returns the keys with which a provider signs. If a token is signed with an unknown key, the keys are loaded again, but not in quick
     * succession.
     */
    async getKeys(id: string): Promise<JWTVerifyGetKey> {
      const { config } = await get(id);
      const uri = config.serverMetadata().jwks_uri ?? '';
      const known = keys.get(id);
      if (known?.uri === uri) return known.keys;
      const jose = await import('jose');
      const fetch = createProviderFetch(outbound, id);
      const load: FetchImplementation = (url, { method, headers, signal }) =>
        fetch(url, { method, headers: Object.fromEntries(headers), signal, body: undefined, redirect: 'manual' });
      const created = jose.createRemoteJWKSet(new URL(uri), { [jose.customFetch]: load });
      keys.set(id, { uri, keys: created });
      return created;
    },
  };
}

/** Loads a provider's metadata and checks it. */
export async function discover(settings: ProviderSettings, outbound: Outbound): Promise<LoadedProvider> {
  const client = await import('openid-client');
  const { clientId, clientSecret, issuer } = settings;
  const issuerUrl = new URL(issuer);
  const fetch = createProviderFetch(outbound, settings.id);
  const execute = isLoopback(issuerUrl) ? [client.allowInsecureRequests] : [];
  const found = await client.discovery(issuerUrl, clientId, undefined, client.None(), { [client.customFetch]: fetch, execute });
  // The library adds a function to the metadata.
  const { supportsPKCE: _, ...metadata } = found.serverMetadata();
  // Some providers serve the metadata of another issuer, whose tokens may belong to other organizations.
  if (metadata.issuer !== issuer) throw new Error(`The metadata belongs to the issuer ${metadata.issuer}. Set exactly this issuer`);
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const url = URL.parse(metadata[name] ?? '');
    if (!url || !isSecure(url) || (isLoopback(url) && !isLoopback(issuerUrl)))
      throw new Error(`The metadata has no ${name} that uses https`);
  }
  const algorithms = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
  const accepted = algorithms.filter((algorithm) => tokenAlgorithms.includes(algorithm));
  if (accepted.length === 0) throw new Error(`The provider signs tokens only with ${algorithms.join(', ')}`);
  const config = new client.Configuration(
    { ...metadata, id_token_signing_alg_values_supported: accepted },
    clientId,
    undefined,
    authenticationOf(client, clientSecret, metadata.token_endpoint_auth_methods_supported),
  );
  config[client.customFetch] = fetch;
  if (isLoopback(issuerUrl)) client.allowInsecureRequests(config);
  // Without this call, the library would trust an id token because of the connection on which it arrived, and not check its signature.
  client.enableNonRepudiationChecks(config);
  return { settings, config };
}

function authenticationOf(client: typeof import('openid-client'), secret: string | undefined, methods: string[] | undefined) {
  if (secret === undefined) return client.None();
  const isBasic = methods === undefined || methods.includes('client_secret_basic');
  return isBasic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
}

/** Describes a failure without its causes, because these can contain tokens. */
export function describeFailure(err: unknown): { code: 'provider_unavailable' | 'provider_invalid' | 'sign_in_canceled'; reason: string } {
  const outboundError = [err, err instanceof Error ? err.cause : undefined].find((each) => each instanceof OutboundError);
  if (outboundError instanceof OutboundError) return { code: 'provider_unavailable', reason: outboundError.message };
  if (!(err instanceof Error)) return { code: 'provider_invalid', reason: 'unknown' };
  const {
    code = '',
    error = '',
    error_description = '',
  } = err as Error & Record<'code' | 'error' | 'error_description', string | undefined>;
  const reason = [err.message, code, error, error_description].filter(Boolean).join(': ').slice(0, 500);
  const isTimeout = err.name === 'TimeoutError' || code === 'OAUTH_TIMEOUT';
  if (isTimeout) return { code: 'provider_unavailable', reason };
  return { code: code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' ? 'sign_in_canceled' : 'provider_invalid', reason };
}
