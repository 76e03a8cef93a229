import { AppError } from '../../errors.ts';
import type { Credential } from '../../store/accounts/credentials.ts';
import { type Actor, type Client, credentialOf, systemCredential } from '../actor.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { secretOwners } from '../secrets/stored-secrets.ts';
import { getAccountByEmail } from './accounts.ts';
import { codeLimits } from './attempt-limits.ts';
import type { WithAudit } from './audit.ts';
import { confirmIdentity, type Proof, reportFailure, type WithIdentity } from './sign-in.ts';
import { countAttempt } from './throttles.ts';
import { authenticatorUri, digestRecoveryCode, findStep, newRecoveryCodes, newSecret, openSecret } from './two-factor-codes.ts';

/** Generates a secret for an authenticator app. Nothing changes for the account until a code is confirmed. */
export async function startTwoFactor(
  ctx: WithIdentity,
  actor: Actor,
  proof: Pick<Proof, 'password' | 'client'>,
): Promise<{ secret: string; uri: string }> {
  const { accountId, email } = actor;
  await confirmIdentity(ctx, actor, proof, { passwordOnly: true });
  const secret = newSecret();
  const cipher = ctx.keyring.seal(secret, secretOwners.twoFactor(accountId));
  if (!(await ctx.store.twoFactor.offer(credentialOf(actor), cipher))) throw new AppError('two_factor_on');
  ctx.audit({ type: 'two_factor_started', accountId, client: proof.client });
  return { secret, uri: authenticatorUri(secret, email) };
}

/** Enables two-factor authentication with a first code and returns the recovery codes, which are shown only once. */
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
  if (!(await ctx.store.twoFactor.confirm(credentialOf(actor), confirmation))) throw new AppError('two_factor_not_started');
  await attempt.succeed();
  ctx.audit({ type: 'two_factor_enabled', accountId, client });
  return codes;
}

/** Disables two-factor authentication for the account's owner. */
export async function stopTwoFactor(ctx: WithIdentity, actor: Actor, proof: Proof): Promise<void> {
  await confirmIdentity(ctx, actor, proof);
  await disable(ctx, credentialOf(actor), proof.client);
}

/** Disables two-factor authentication for the operator, without a code, if the owner has lost the authenticator and the recovery codes. */
export async function disableTwoFactor(ctx: WithAudit, email: string): Promise<void> {
  await disable(ctx, systemCredential((await getAccountByEmail(ctx, email)).id));
}

/** Replaces the recovery codes. The old ones stop working. */
export async function replaceRecoveryCodes(ctx: WithIdentity, actor: Actor, proof: Proof): Promise<string[]> {
  const { accountId } = actor;
  await confirmIdentity(ctx, actor, proof);
  const codes = newRecoveryCodes();
  if (!(await ctx.store.twoFactor.replaceRecoveryCodes(credentialOf(actor), codes.map(digestRecoveryCode))))
    throw new AppError('two_factor_off');
  ctx.audit({ type: 'recovery_codes_replaced', accountId, client: proof.client });
  return codes;
}

async function disable(ctx: WithAudit, credential: Credential, client?: Client): Promise<void> {
  const { accountId } = credential;
  if (!(await ctx.store.twoFactor.remove(credential))) throw new AppError('two_factor_off');
  ctx.audit({ type: 'two_factor_disabled', accountId, ...(client && { client }) });
}
