import { isIP } from 'node:net';
import type { PasskeyAssertion, PasskeyAttestation } from '../../contract/passkeys.ts';
import { AppError } from '../../errors.ts';
import { loopbackAddresses } from '../../platform/loopback.ts';
import type { UsedToken } from '../../store/accounts/used-tokens.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { digestToken, newToken } from '../secrets/tokens.ts';

/** The service, as browsers and devices know it. A passkey works only at the host for which it was created. */
export interface RelyingParty {
  origin: string;
  host: string;
}

/** The accepted signature algorithms, in the order of preference: Ed25519, ES256 and RS256, as COSE numbers. */
export const algorithms = [-8, -7, -257];
/** How long a person may take to answer a challenge. */
export const challengeLifetimeMs = 5 * 60 * 1000;

/**
 * Returns the relying party for the service's own origin. The origin never comes from a request. Passkeys need a host name, so a service on
 * the loopback address is reached as `localhost`.
 */
export function toRelyingParty(origin: string): RelyingParty {
  const url = new URL(origin);
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (loopbackAddresses.some((loopback) => loopback === address)) url.hostname = 'localhost';
  else if (isIP(address) !== 0) throw new AppError('passkeys_unavailable');
  return { origin: url.origin, host: url.hostname };
}

/** What a challenge is bound to: the session or, on a page without a session, a cookie of the browser. */
export type Binding = { sessionId: string } | { cookie: string };

/**
 * Creates a challenge that only the same browser can answer. The challenge is encrypted and contains its expiry time, so nothing is stored
 * for people who never answer.
 */
export function newChallenge(ctx: WithKeyring, binding: Binding): string {
  return encode(ctx.keyring.seal(`${Date.now() + challengeLifetimeMs} ${newToken()}`, ownerOf(binding)));
}

interface Expected {
  party: RelyingParty;
  binding: Binding;
}

/** Verifies a new passkey. Throws `invalid_passkey` if any part of the attestation is not as expected. */
export async function verifyAttestation(ctx: WithKeyring, attestation: PasskeyAttestation, { party, binding }: Expected) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { id, clientDataJSON, attestationObject } = attestation;
  const response = {
    id,
    rawId: id,
    type: 'public-key',
    response: { clientDataJSON, attestationObject },
    clientExtensionResults: {},
  } as const;
  const { challenge, accept } = createChallengeCheck(ctx, binding);
  try {
    await assertNoCertificates(attestationObject);
    const expectations = { expectedChallenge: accept, supportedAlgorithmIDs: algorithms, ...toExpectations(party) };
    const verified = await verifyRegistrationResponse({ response, ...expectations });
    if (!verified.verified) throw new AppError('invalid_passkey');
    const { credential } = verified.registrationInfo;
    const publicKey = Buffer.from(credential.publicKey).toString('base64url');
    return { credentialId: credential.id, publicKey, counter: credential.counter, challenge: challenge() };
  } catch (err) {
    throw new AppError('invalid_passkey', { cause: err });
  }
}

/**
 * Throws if a statement about the device contains certificates, which this service never requests. The library would send requests to the
 * addresses in the certificates, and whoever creates a certificate can choose these addresses.
 */
async function assertNoCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const isPlain = decoded.get('fmt') === 'none' || (decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  if (!isPlain) throw new Error('The statement about the device contains certificates');
}

/** Verifies a signature that was made with a stored passkey. Throws `invalid_passkey` if any part of the assertion is not as expected. */
export async function verifyAssertion(
  ctx: WithKeyring,
  assertion: PasskeyAssertion,
  { party, binding, passkey }: Expected & { passkey: { accountId: string; publicKey: string; counter: number } },
): Promise<{ counter: number; challenge: UsedToken }> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { id, ...signed } = assertion;
  const response = { id, rawId: id, type: 'public-key', response: signed, clientExtensionResults: {} } as const;
  const credential = { id, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')), counter: passkey.counter };
  const { challenge, accept } = createChallengeCheck(ctx, binding);
  try {
    if (decode(assertion.userHandle) !== passkey.accountId) throw new Error('The passkey names another account');
    const verified = await verifyAuthenticationResponse({ response, expectedChallenge: accept, credential, ...toExpectations(party) });
    if (!verified.verified) throw new Error('The signature is wrong');
    return { counter: verified.authenticationInfo.newCounter, challenge: challenge() };
  } catch (err) {
    throw new AppError('invalid_passkey', { cause: err });
  }
}

/** Returns the id of an account as a user handle, which devices return with their signatures. */
export function toUserHandle(accountId: string): string {
  return encode(accountId);
}

function toExpectations({ origin, host }: RelyingParty) {
  return { expectedOrigin: origin, expectedRPID: host, requireUserVerification: true };
}

/**
 * Returns two functions: one accepts a challenge if it belongs to this browser and has not expired, and the other returns the accepted
 * challenge.
 */
function createChallengeCheck(ctx: WithKeyring, binding: Binding) {
  let accepted: UsedToken | undefined;
  return {
    accept(given: string): boolean {
      const expiresAt = Number(ctx.keyring.open(decode(given), ownerOf(binding))?.split(' ')[0]);
      if (!(expiresAt > Date.now())) return false;
      accepted = { digest: digestToken(given), expiresAt: new Date(expiresAt) };
      return true;
    },
    challenge(): UsedToken {
      if (!accepted) throw new Error('The challenge was not checked');
      return accepted;
    },
  };
}

/** Names the purpose and the browser of a challenge, so that the challenge is never accepted for another purpose or in another browser. */
function ownerOf(binding: Binding): string {
  return 'sessionId' in binding ? `passkey registration:${binding.sessionId}` : `passkey sign-in:${binding.cookie}`;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decode(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}
