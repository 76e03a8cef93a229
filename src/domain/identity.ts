import { AppError } from '../errors.ts';
import type { AccountCredentials } from '../store/accounts.ts';
import type { Context } from './context.ts';
import { parseEmail } from './emails.ts';
import { verifyPassword } from './passwords.ts';
import { type Attempt, assertNotThrottled, recordFailure, recordSuccess } from './throttle.ts';
import { verifyCode } from './two-factor-codes.ts';

/** What someone shows to be the owner of an account. */
export interface Proof extends Attempt {
  password: string;
  /** From the authenticator, or a recovery code. Asked for once two-factor is on. */
  code?: string | undefined;
}

/**
 * Checks e-mail, password and, with two-factor on, the code. Unknown e-mail and wrong password cost the same time and answer
 * the same; that a code is wanted is told only to those who know the password. `passwordOnly` is for someone already signed in.
 */
export async function proveIdentity(ctx: Context, proof: Proof, { passwordOnly = false } = {}): Promise<AccountCredentials> {
  await assertNotThrottled(ctx, proof);
  const account = await ctx.hashing.run(async () => {
    // Asked again in turn: guesses sent side by side must not all pass before the first has failed.
    await assertNotThrottled(ctx, proof);
    const found = await checkPassword(ctx, proof);
    if (!passwordOnly) await checkSecondFactor(ctx, found, proof);
    return found;
  });
  // Only now: whoever knows the password alone must not be able to wipe out the count of wrong codes.
  await recordSuccess(ctx, proof);
  return account;
}

async function checkPassword(ctx: Context, proof: Proof): Promise<AccountCredentials> {
  const email = parseEmail(proof.email);
  const found = email === undefined ? undefined : await ctx.store.accounts.findByEmail(email);
  if ((await verifyPassword(proof.password, found?.passwordHash)) && found) return found;
  await recordFailure(ctx, proof);
  ctx.audit({ type: 'sign_in_failed', ...(found && { accountId: found.id }), address: proof.address });
  throw new AppError('invalid_credentials');
}

async function checkSecondFactor(ctx: Context, account: AccountCredentials, { code, ...attempt }: Proof): Promise<void> {
  const twoFactor = await ctx.store.twoFactors.find(account.id);
  if (!twoFactor || twoFactor.confirmedAt === null) return;
  if (!code?.trim()) throw new AppError('code_required');
  const { secretCipher, confirmedAt } = twoFactor;
  if (await verifyCode(ctx, { accountId: account.id, secretCipher, confirmedAt, code, address: attempt.address })) return;
  await recordFailure(ctx, attempt);
  ctx.audit({ type: 'sign_in_failed', accountId: account.id, address: attempt.address });
  throw new AppError('invalid_code');
}
