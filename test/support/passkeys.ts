import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { AddedPasskey, PasskeyAssertion, PasskeyAttestation } from '../../src/contract/passkeys.ts';
import { callFromPage, signUp } from './browser.ts';
import type { ApiResponse, TestAccount } from './client.ts';
import type { Service } from './service.ts';

/** What a device signs. Hostile tests replace parts of it. */
export interface Ceremony {
  origin: string;
  rpId: string;
  challenge: string;
  type: string;
  /** Whether the device verified its user, for example with a fingerprint. */
  isUserVerified: boolean;
  counter: number;
  userHandle: string;
}

interface Options {
  challenge: string;
  rpId?: string;
  rp?: { id: string };
  user?: { id: string };
}

/** What a device states about itself when it creates a passkey. */
interface Statement {
  fmt: string;
  attStmt: Map<string, unknown>;
}

/** Makes a statement for client data, with the public key of the new passkey. */
type Attest = (clientData: Buffer, publicKey: KeyObject) => Statement;

const attestNothing: Attest = () => ({ fmt: 'none', attStmt: new Map() });

/** Creates a device with one passkey, which signs as specified. Each signature adds `step` to the device's counter. */
export function newDevice(service: { url: string }, { step = 0 } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16).toString('base64url');
  const { port } = new URL(service.url);
  let counter = 0;
  let userHandle = '';

  const ceremonyOf = (options: Options, type: string, changes: Partial<Ceremony>): Ceremony => ({
    origin: `http://localhost:${port}`,
    rpId: options.rp?.id ?? options.rpId ?? '',
    challenge: options.challenge,
    type,
    isUserVerified: true,
    counter,
    userHandle,
    ...changes,
  });
  const clientDataOf = ({ type, challenge, origin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const dataOf = ({ rpId, isUserVerified, counter: count }: Ceremony, attested = Buffer.alloc(0)) => {
    const flags = 1 | (isUserVerified ? 4 : 0) | (attested.length > 0 ? 64 : 0);
    const numbers = Buffer.alloc(5);
    numbers.writeUInt8(flags, 0);
    numbers.writeUInt32BE(count, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), numbers, attested]);
  };

  return {
    id,
    /** Creates the passkey. */
    create(options: Options, changes: Partial<Ceremony> = {}, attest = attestNothing): PasskeyAttestation {
      counter += step;
      userHandle = options.user?.id ?? '';
      const ceremony = ceremonyOf(options, 'webauthn.create', changes);
      const { x, y } = publicKey.export({ format: 'jwk' });
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x ?? '', 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y ?? '', 'base64url'))],
      ]);
      const credentialId = Buffer.from(id, 'base64url');
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, isoCBOR.encode(key)]);
      const clientData = clientDataOf(ceremony);
      const { fmt, attStmt } = attest(clientData, publicKey);
      const attestation = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', new Uint8Array(dataOf(ceremony, attested))],
      ]);
      const attestationObject = Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url');
      return { id, clientDataJSON: clientData.toString('base64url'), attestationObject, transports: ['internal'] };
    },
    /** Signs a challenge. */
    sign(options: Options, changes: Partial<Ceremony> = {}): PasskeyAssertion {
      counter += step;
      const ceremony = ceremonyOf(options, 'webauthn.get', changes);
      const clientData = clientDataOf(ceremony);
      const data = dataOf(ceremony);
      const signature = sign('sha256', Buffer.concat([data, createHash('sha256').update(clientData).digest()]), privateKey);
      return {
        id,
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: ceremony.userHandle,
      };
    },
  };
}

export type Device = ReturnType<typeof newDevice>;

/** Adds a passkey to the account of a session. The sign-in that started the session must be recent. */
export async function addPasskey(
  service: Service,
  { cookie }: { cookie: string },
  { device = newDevice(service), name = 'Laptop' } = {},
): Promise<AddedPasskey & { device: Device }> {
  const options = await callFromPage(service, 'POST', '/api/account/passkeys/options', { cookie });
  assert.equal(options.status, 200, options.text);
  const credential = device.create(options.body as Options);
  const added = await callFromPage(service, 'POST', '/api/account/passkeys', { cookie, body: { name, credential } });
  assert.equal(added.status, 201, added.text);
  return { ...(added.body as AddedPasskey), device };
}

export interface PasskeyAccount extends TestAccount {
  cookie: string;
  device: Device;
  passkeyId: string;
  recoveryCodes: string[];
}

/** Signs up an account and adds its first passkey. */
export async function signUpWithPasskey(service: Service, device = newDevice(service)): Promise<PasskeyAccount> {
  const account = await signUp(service);
  const { passkey, recoveryCodes } = await addPasskey(service, account, { device });
  assert.ok(recoveryCodes);
  return { ...account, device, passkeyId: passkey.id, recoveryCodes };
}

/** Gets a challenge for a page without a session, and the cookie to which it is bound. */
export async function getChallenge(service: Service, cookie?: string): Promise<{ options: Options; cookie: string }> {
  const response = await callFromPage(service, 'POST', '/api/session/passkey/options', cookie === undefined ? {} : { cookie });
  assert.equal(response.status, 200, response.text);
  const [set = ''] = response.headers.getSetCookie();
  return { options: response.body as Options, cookie: set.split(';')[0] ?? '' };
}

/** Signs in with a passkey as the dashboard does. */
export async function signInByPasskey(service: Service, device: Device, changes: Partial<Ceremony> = {}): Promise<ApiResponse> {
  const { options, cookie } = await getChallenge(service);
  return answer(service, device.sign(options, changes), cookie);
}

/** Sends a signature. */
export function answer(service: Service, assertion: PasskeyAssertion, cookie: string): Promise<ApiResponse> {
  return callFromPage(service, 'POST', '/api/session/sign-in/passkey', { cookie, body: assertion });
}
