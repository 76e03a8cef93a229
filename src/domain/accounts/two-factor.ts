import { AppError } from '../../errors.ts';
import { type Actor, type Client, credentialOf, systemCredential } from '../actor.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { secretOwners } from '../secrets/stored-secrets.ts';
import { getAccountByEmail } from './accounts.ts';
import { codeLimits } from './attempt-limits.ts';
import type { WithAudit } from './audit.ts';
import { confirmIdentity, type Proof, reportFailure, type WithIdentity } from './sign-in.ts';
import { countAttempt } from './throttles.ts';
import { authenticatorUri, digestRecoveryCode, findStep, newRecoveryCodes, newSecret, openSecret } from './two-factor-codes.ts';

/**
 * Generates a secret for an authenticator app. Nothing changes for the account until a code is confirmed. The authenticator replaces
 * passkeys as the second factor, so the owner of an account with passkeys has to prove their identity first.
 */
export async function startTwoFactor(ctx: WithIdentity, actor: Actor, proof: Proof): Promise<{ secret: string; uri: string }> {
  const { accountId, email } = actor;
  const existing = await ctx.store.twoFactor.find(accountId);
  if (existing && existing.confirmedAt !== null) throw new AppError('two_factor_on');
  await confirmIdentity(ctx, actor, proof);
  const secret = newSecret();
  const cipher = ctx.keyring.seal(secret, secretOwners.twoFactor(accountId));
  if (!(await ctx.store.twoFactor.offer(credentialOf(actor), cipher))) throw new AppError('two_factor_on');
  ctx.audit({ type: 'two_factor_started', accountId, client: proof.client });
  return { secret, uri: authenticatorUri(secret, email) };
}

/**
 * Enables two-factor authentication with a first code and returns the recovery codes, which are shown only once. Ends the other sessions,
 * which were started with the password alone.
 */
export async function confirmTwoFactor(
  ctx: WithKeyring & WithAudit,
  actor: Actor,
  { code, client }: { code: string; client: Client },
): Promise<string[]> {
  const { accountId } = actor;
  const offered = await ctx.store.twoFactor.find(accountId);
  if (!offered) throw new AppError('two_factor_not_started');
  if (offered.confirmedAt !== null) throw new AppError('two_factor_on');
  // The attempt is counted like a sign-in, so that a stolen session cannot guess the code of an unfinished setup.
  const attempt = await countAttempt(ctx, codeLimits(accountId));
  const step = findStep(openSecret(ctx, { accountId, secretCipher: offered.secretCipher }), code.replaceAll(/\s/g, ''));
  if (step === undefined) {
    await reportFailure(ctx, attempt, { type: 'confirmation_failed', accountId, client });
    throw new AppError('invalid_code');
  }
  const codes = newRecoveryCodes();
  const confirmation = { secretCipher: offered.secretCipher, step, codeDigests: codes.map(digestRecoveryCode) };
  const confirmed = await ctx.store.twoFactor.confirm(credentialOf(actor), confirmation);
  if (!confirmed) throw new AppError('two_factor_not_started');
  await attempt.succeed();
  ctx.audit({ type: 'two_factor_enabled', accountId, client });
  if (confirmed.hasEnded) ctx.audit({ type: 'sessions_ended', accountId, client });
  return codes;
}

/** Disables two-factor authentication for the account's owner, and ends the other sessions. */
export async function stopTwoFactor(ctx: WithIdentity, actor: Actor, { client, ...proof }: Proof): Promise<void> {
  const { accountId } = actor;
  await confirmIdentity(ctx, actor, { ...proof, client });
  const removed = await ctx.store.twoFactor.remove(credentialOf(actor));
  if (!removed) throw new AppError('two_factor_off');
  ctx.audit({ type: 'two_factor_disabled', accountId, client });
  if (removed.hasEnded) ctx.audit({ type: 'sessions_ended', accountId, client });
}

/**
 * Removes the authenticator and all passkeys of an account on behalf of the operator, if the owner has lost them and the recovery codes. No
 * code is required. Ends all sessions of the account.
 */
export async function disableTwoFactor(ctx: WithAudit, email: string): Promise<void> {
  const { id: accountId } = await getAccountByEmail(ctx, email);
  const passkeys = await ctx.store.passkeys.removeAll(accountId);
  for (const name of passkeys) ctx.audit({ type: 'passkey_removed', accountId, detail: { name } });
  const hadAuthenticator = await ctx.store.twoFactor.remove(systemCredential(accountId));
  if (hadAuthenticator) ctx.audit({ type: 'two_factor_disabled', accountId });
  else if (passkeys.length === 0) throw new AppError('two_factor_off');
}

/** Replaces the recovery codes. The old codes stop working. */
export async function replaceRecoveryCodes(ctx: WithIdentity, actor: Actor, proof: Proof): Promise<string[]> {
  const { accountId } = actor;
  await confirmIdentity(ctx, actor, proof);
  const codes = newRecoveryCodes();
  if (!(await ctx.store.twoFactor.replaceRecoveryCodes(credentialOf(actor), codes.map(digestRecoveryCode))))
    throw new AppError('two_factor_off');
  ctx.audit({ type: 'recovery_codes_replaced', accountId, client: proof.client });
  return codes;
}
