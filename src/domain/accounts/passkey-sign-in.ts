import type { PasskeyAssertion } from '../../contract/passkeys.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { AccountCredentials } from '../../store/accounts/accounts.ts';
import type { PasskeyUse } from '../../store/accounts/passkeys.ts';
import type { WithStore } from '../../store/store.ts';
import { type Client, type SessionActor, sessionCredentialOf } from '../actor.ts';
import type { WithMail } from '../mail/mail.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { passkeyLimits } from './attempt-limits.ts';
import type { WithAudit } from './audit.ts';
import { makeSession, signOut } from './sessions.ts';
import { confirmPassword, findRelation, type Proof, recordSignIn, reportFailure, type WithIdentity } from './sign-in.ts';
import { countAttempt } from './throttles.ts';
import { challengeLifetimeMs, newChallenge, type RelyingParty, verifyAssertion } from './webauthn.ts';

interface PasskeyProof {
  passkey: PasskeyAssertion;
  /** The cookie to which the challenge is bound. */
  cookie: string | undefined;
  party: RelyingParty;
  client: Client;
}

/**
 * Returns the options with which a browser asks for any passkey of this service. They are the same for everyone, so they reveal nothing
 * about accounts.
 */
export function startPasskeySignIn(ctx: WithKeyring, { cookie, party }: { cookie: string; party: RelyingParty }) {
  return { challenge: newChallenge(ctx, { cookie }), rpId: party.host, timeout: challengeLifetimeMs, userVerification: 'required' };
}

/** Signs in with a passkey, which replaces the password and the second factor. Returns the token of the new session. */
export async function signInWithPasskey(
  ctx: WithKeyring & WithAudit & WithMail,
  { device, replacedToken, ...proof }: PasskeySignIn,
): Promise<{ token: string; account: AccountCredentials }> {
  const { client } = proof;
  const signedIn = await attempt(ctx, { client, failure: 'sign_in_failed' }, async (onFound) => {
    const use = await verify(ctx, proof, onFound);
    const { found, relation } = await findRelation(ctx, { email: use.email, client, device });
    const { token, record } = makeSession(ctx, { accountId: use.accountId, client });
    if (found?.account.id !== use.accountId || !(await ctx.store.passkeys.signIn(use, record))) throw new AppError('invalid_passkey');
    return { found, relation, token };
  });
  const { account, addressLastUsedAt } = signedIn.found;
  await recordSignIn(ctx, { accountId: account.id, client, addressLastUsedAt, isNew: signedIn.relation.kind === 'new address' });
  if (replacedToken !== undefined) await signOut(ctx, replacedToken, client);
  return { token: signedIn.token, account };
}

interface PasskeySignIn extends PasskeyProof {
  /** The token that the browser got at an earlier sign-in, see ./devices.ts. */
  device: string | undefined;
  /** The token of the browser's current session, which the new session replaces. */
  replacedToken: string | undefined;
}

/**
 * Confirms the identity of the person behind a session, with the password and the second factor or with a passkey of the account. This
 * counts as a fresh sign-in.
 */
export async function confirmSession(ctx: WithIdentity, actor: SessionActor, proof: PasskeyProof | PasswordConfirmation): Promise<void> {
  const credential = sessionCredentialOf(actor);
  if (!('passkey' in proof)) {
    const { password } = proof;
    if (password === undefined) throw invalidField('/password', 'Enter your password');
    await confirmPassword(ctx, actor, { ...proof, password });
    return ctx.store.sessions.setProved(credential);
  }
  await attempt(ctx, { client: proof.client, failure: 'confirmation_failed' }, async (onFound) => {
    const use = await verify(ctx, proof, onFound);
    const isOwn = use.accountId === actor.accountId;
    if (!isOwn || !(await ctx.store.passkeys.confirm(credential, use))) throw new AppError('invalid_passkey');
  });
}

type PasswordConfirmation = Pick<Proof, 'password' | 'code' | 'client'>;

/** Verifies a signature. An unknown passkey and a wrong signature give the same error. */
async function verify(
  ctx: WithKeyring & WithStore,
  { passkey, cookie, party }: PasskeyProof,
  onFound: (accountId: string) => void,
): Promise<PasskeyUse & { email: string }> {
  const stored = await ctx.store.passkeys.findForSignIn(passkey.id);
  if (!stored || cookie === undefined) throw new AppError('invalid_passkey');
  onFound(stored.accountId);
  const { id, accountId, email } = stored;
  return { id, accountId, email, ...(await verifyAssertion(ctx, passkey, { party, binding: { cookie }, passkey: stored })) };
}

/**
 * Counts an attempt of a client. There is no count per account, because nobody can guess a signature: such a count would only let
 * strangers lock the owner out.
 */
async function attempt<T>(
  ctx: WithAudit,
  { client, failure }: { client: Client; failure: 'sign_in_failed' | 'confirmation_failed' },
  task: (onFound: (accountId: string) => void) => Promise<T>,
): Promise<T> {
  const counted = await countAttempt(ctx, passkeyLimits(client));
  let accountId: string | undefined;
  try {
    const result = await task((id) => {
      accountId = id;
    });
    await counted.succeed();
    return result;
  } catch (err) {
    if (err instanceof AppError && err.code === 'invalid_passkey') await reportFailure(ctx, counted, { type: failure, accountId, client });
    throw err;
  }
}
