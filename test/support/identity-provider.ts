import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** A person as the provider knows them. */
export interface Person {
  sub: string;
  email?: string;
  email_verified?: unknown;
  name?: string;
  groups?: unknown;
  sid?: string;
  [claim: string]: unknown;
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

interface Grant {
  person: Person;
  nonce: string | null;
  challenge: string | null;
  redirectUri: string | null;
}

export const clientId = 'promptharbor';
export const clientSecret = 'the secret of the client';

/** Starts a provider that follows the specification, and that a test can make misbehave. */
export async function startIdentityProvider() {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const publicJwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  const grants = new Map<string, Grant>();
  const server = createServer((req, res) => {
    respond(req).then(
      ([status, body]) =>
        res.writeHead(status, { 'content-type': 'application/json', date: toDate(misbehavior.clockSeconds) }).end(JSON.stringify(body)),
      () => res.writeHead(500).end('{}'),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** The ways in which the provider deviates from the specification. */
  const misbehavior: {
    metadata?: Record<string, unknown>;
    /** Changes the claims of id tokens. */
    claims?(claims: JWTPayload): JWTPayload;
    /** Replaces the signed id token. */
    token?: ((signed: string, claims: JWTPayload) => string | Promise<string>) | undefined;
    ignoresPkce?: boolean;
    isDown?: boolean;
    refusedRedirectUri?: string;
    /** The seconds by which the provider's clock is ahead. */
    clockSeconds?: number;
  } = {};
  const requests: { path: string; body: URLSearchParams; authorization: string | undefined }[] = [];

  async function respond(req: IncomingMessage): Promise<[number, unknown]> {
    const url = new URL(req.url ?? '', issuer);
    const body = new URLSearchParams(await readText(req));
    requests.push({ path: url.pathname, body, authorization: req.headers.authorization });
    if (misbehavior.isDown) return [503, { error: 'temporarily_unavailable' }];
    if (url.pathname === '/.well-known/openid-configuration') return [200, { ...describe(), ...misbehavior.metadata }];
    if (url.pathname === '/jwks') return [200, { keys: [publicJwk] }];
    if (url.pathname === '/authorize') return [misbehavior.refusedRedirectUri === url.searchParams.get('redirect_uri') ? 400 : 200, {}];
    if (url.pathname === '/token') return redeem(body, req.headers.authorization);
    return [404, {}];
  }

  function describe() {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/logout`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    };
  }

  async function redeem(body: URLSearchParams, authorization = ''): Promise<[number, unknown]> {
    const code = body.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const [id = '', secret = ''] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    if (id !== clientId || secret !== clientSecret) return [401, { error: 'invalid_client' }];
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const isProved = misbehavior.ignoresPkce || grant?.challenge === challenge;
    if (!grant || !isProved || grant.redirectUri !== body.get('redirect_uri')) return [400, { error: 'invalid_grant' }];
    const { person, nonce } = grant;
    const now = Math.floor(Date.now() / 1000);
    const stated = { iat: now, ...person, iss: issuer, aud: clientId, exp: now + 300, ...(nonce !== null && { nonce }) };
    const claims = misbehavior.claims?.(stated) ?? stated;
    const signed = await sign(claims);
    const token = (await misbehavior.token?.(signed, claims)) ?? signed;
    return [200, { access_token: randomBytes(16).toString('hex'), token_type: 'Bearer', expires_in: 300, id_token: token }];
  }

  function sign(claims: JWTPayload, header: object = {}): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header }).sign(privateKey);
  }

  return {
    issuer,
    publicKey,
    publicJwk,
    misbehavior,
    requests,
    sign,

    /** Signs a person in at an authorization address, and returns the address to which the browser is sent. */
    authorize(address: string, person: Person): URL {
      const { searchParams } = new URL(address);
      const code = randomBytes(16).toString('hex');
      const redirectUri = searchParams.get('redirect_uri');
      grants.set(code, { person, nonce: searchParams.get('nonce'), challenge: searchParams.get('code_challenge'), redirectUri });
      const back = new URL(redirectUri ?? '');
      back.search = String(new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: issuer }));
      return back;
    },

    /** Returns a logout token with the given differences. */
    logoutToken(differences: Record<string, unknown>, header?: object): Promise<string> {
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer, aud: clientId, iat: now, exp: now + 120, jti: randomBytes(8).toString('hex'), events, ...differences };
      return sign(claims as JWTPayload, { typ: 'logout+jwt', ...header });
    },

    /** The settings with which a service uses this provider. */
    settings: (more: object = {}) => ({ id: 'sso', name: 'Example ID', issuer, clientId, clientSecret, ...more }),

    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function toDate(seconds = 0): string {
  return new Date(Date.now() + seconds * 1000).toUTCString();
}

async function readText(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text;
}
