import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { ApiError, createApiError } from '../../../client/src/errors.ts';
import { call } from '../lib/api.ts';
import type { AddedPasskey, User } from '../lib/types.ts';

/** Returns why this page cannot use passkeys, or undefined if it can. */
export function findPasskeyObstacle(): string | undefined {
  const { hostname, port } = location;
  if (hostname === '127.0.0.1' || hostname === '[::1]') {
    return `Passkeys do not work at an IP address. Open http://localhost${port && `:${port}`} instead.`;
  }
  if (!window.isSecureContext) return 'Passkeys need HTTPS, which this page does not use.';
  return typeof window.PublicKeyCredential === 'function' ? undefined : 'This browser does not support passkeys.';
}

/** Asks for a passkey and signs in with it. With `autofill`, the browser offers passkeys in the field for the email address. */
export async function signInByPasskey({ autofill = false } = {}): Promise<User> {
  return call('signInWithPasskey', { body: await ask(autofill) });
}

/** Asks for a passkey of the account and confirms the user's identity in this session. */
export async function confirmByPasskey(): Promise<void> {
  await call('confirmSession', { body: { passkey: await ask(false) } });
}

/** Returns whether the browser can offer passkeys in the field for the email address. */
export async function canAutofillPasskeys(): Promise<boolean> {
  if (findPasskeyObstacle() !== undefined) return false;
  return (await load()).browserSupportsWebAuthnAutofill();
}

/** Creates a passkey on a device that the user chooses, and adds it to the account. */
export async function createPasskey(name: string): Promise<AddedPasskey> {
  // The schema of the API does not describe the options, because browsers define them.
  const optionsJSON = (await call('startPasskey', {})) as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { startRegistration } = await load();
  const { id, response } = await startRegistration({ optionsJSON }).catch(rethrow);
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return call('addPasskey', { body: { name, credential: { id, clientDataJSON, attestationObject, transports } } });
}

/** Returns whether the user closed the browser's dialog, or another request for a passkey replaced it. */
export function isCanceled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}

/** Returns whether the service refused the passkey that the user chose. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_passkey';
}

async function ask(useBrowserAutofill: boolean) {
  // The schema of the API does not describe the options, because browsers define them.
  const optionsJSON = (await call('startPasskeySignIn', {})) as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { startAuthentication } = await load();
  return toAssertion(await startAuthentication({ optionsJSON, useBrowserAutofill }).catch(rethrow));
}

function toAssertion({ id, response }: AuthenticationResponseJSON) {
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response;
  return { id, clientDataJSON, authenticatorData, signature, userHandle };
}

/** Replaces the browser's texts for the errors that users can do something about. */
function rethrow(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  if (error.name === 'InvalidStateError') throw createApiError('This device already has a passkey for your account.', { status: 0 });
  if (error.name === 'SecurityError') {
    throw createApiError('Passkeys do not work at this address. Open the service at its public URL.', { status: 0 });
  }
  throw error;
}

function load() {
  return import('@simplewebauthn/browser');
}
