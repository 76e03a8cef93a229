import type { AddedPasskey, Passkey, PasskeyAttestation } from '../../contract/passkeys.ts';
import { AppError } from '../../errors.ts';
import type { PasskeyRecord } from '../../store/accounts/passkeys.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, type Client, credentialOf, type SessionActor } from '../actor.ts';
import { newId, toStorable } from '../ids.ts';
import type { WithProviders } from '../oidc/providers.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import type { WithAudit } from './audit.ts';
import { assertFreshSignIn } from './fresh-sign-in.ts';
import { getName } from './names.ts';
import { allowedMethods } from './sign-in-methods.ts';
import { digestRecoveryCode, newRecoveryCodes } from './two-factor-codes.ts';
import { algorithms, challengeLifetimeMs, newChallenge, type RelyingParty, toUserHandle, verifyAttestation } from './webauthn.ts';

const maxPasskeys = 20;

/** Lists the account's passkeys, oldest first. */
export async function listPasskeys(ctx: WithStore, { accountId }: Actor): Promise<Passkey[]> {
  return (await ctx.store.passkeys.list(accountId)).map(toPasskey);
}

/** Returns the options with which a browser creates a passkey. Requires a fresh sign-in. */
export async function startPasskey(ctx: WithKeyring & WithStore, actor: SessionActor, party: RelyingParty) {
  await assertFreshSignIn(ctx, actor);
  const { accountId, email, name, sessionId } = actor;
  const known = await ctx.store.passkeys.listCredentials(accountId, party.host);
  return {
    rp: { id: party.host, name: 'PromptHarbor' },
    user: { id: toUserHandle(accountId), name: email, displayName: name },
    challenge: newChallenge(ctx, { sessionId }),
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeLifetimeMs,
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    // A device that already has a passkey of the account refuses to create another one.
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ type: 'public-key', id, transports: JSON.parse(transports) })),
  };
}

interface NewPasskey {
  name: string;
  credential: PasskeyAttestation;
  client: Client;
  party: RelyingParty;
}

/**
 * Adds a passkey. Requires a fresh sign-in. If the account had no second factor, also creates recovery codes, which are shown only once,
 * and ends the other sessions, because they were started with the password alone.
 */
export async function addPasskey(
  ctx: WithKeyring & WithAudit,
  actor: SessionActor,
  { credential, client, party, ...input }: NewPasskey,
): Promise<AddedPasskey> {
  const name = getName(input.name);
  await assertFreshSignIn(ctx, actor);
  const { accountId, sessionId } = actor;
  const { challenge, ...verified } = await verifyAttestation(ctx, credential, { party, binding: { sessionId } });
  const codes = newRecoveryCodes();
  const passkey = { id: newId('pk'), name, host: party.host, transports: JSON.stringify(credential.transports ?? []), ...verified };
  const addition = { max: maxPasskeys, codeDigests: codes.map(digestRecoveryCode), challenge };
  const added = await ctx.store.passkeys.add(credentialOf(actor), passkey, addition);
  if (!added) throw new AppError('invalid_passkey');
  ctx.audit({ type: 'passkey_added', accountId, client, detail: { name } });
  if (added.hasEnded) ctx.audit({ type: 'sessions_ended', accountId, client });
  const { id, host } = passkey;
  return { passkey: { id, name, host, createdAt: added.createdAt, lastUsedAt: null }, recoveryCodes: added.isOnlyFactor ? codes : null };
}

/** Renames a passkey. */
export async function renamePasskey(ctx: WithStore, actor: Actor, { id, ...input }: { id: string; name: string }): Promise<Passkey> {
  const name = getName(input.name);
  const renamed = await ctx.store.passkeys.rename(credentialOf(actor), { id: toStorable(id), name });
  if (!renamed) throw new AppError('not_found');
  return toPasskey(renamed);
}

/**
 * Removes a passkey, unless it is the only way to sign in. Requires a fresh sign-in. Ends the account's other sessions, because the device
 * may be lost and a session may have been started with it.
 */
export async function removePasskey(
  ctx: WithAudit & WithProviders,
  actor: SessionActor,
  { id: text, client }: { id: string; client: Client },
): Promise<void> {
  await assertFreshSignIn(ctx, actor);
  const passkey = { id: toStorable(text), allowed: allowedMethods(ctx, actor) };
  const removed = await ctx.store.passkeys.remove(credentialOf(actor), passkey);
  if (!removed) throw new AppError('not_found');
  const { accountId } = actor;
  ctx.audit({ type: 'passkey_removed', accountId, client, detail: { name: removed.name } });
  if (removed.hasEnded) ctx.audit({ type: 'sessions_ended', accountId, client });
}

function toPasskey({ id, name, host, createdAt, lastUsedAt }: PasskeyRecord): Passkey {
  return { id, name, host, createdAt, lastUsedAt };
}
