import { AppError } from '../../errors.ts';
import type { AccountCredentials } from '../../store/accounts/accounts.ts';
import type { Context } from '../context.ts';
import { parseEmail } from './emails.ts';
import { verifyPassword } from './passwords.ts';
import { type Attempt, assertNotThrottled, recordFailure, recordSuccess } from './throttles.ts';
import { verifyCode } from './two-factor-codes.ts';

/** What proves that someone owns an account. */
export interface Credentials extends Attempt {
  password: string;
  /** From the authenticator, or a recovery code. Asked for once two-factor is on. */
  code?: string | undefined;
}

/**
 * Checks e-mail, password and, with two-factor on, the code. Unknown e-mail and wrong password cost the same time and answer
 * the same; that a code is wanted is told only to those who know the password. `passwordOnly` is for someone already signed in.
 */
export async function verifyCredentials(
  ctx: Context,
  credentials: Credentials,
  { passwordOnly = false } = {},
): Promise<AccountCredentials> {
  await assertNotThrottled(ctx, credentials);
  const account = await ctx.hashing.run(async () => {
    // Asked again in turn: guesses sent side by side must not all pass before the first has failed.
    await assertNotThrottled(ctx, credentials);
    const found = await checkPassword(ctx, credentials);
    if (!passwordOnly) await checkSecondFactor(ctx, found, credentials);
    return found;
  });
  // Only now: whoever knows the password alone must not be able to wipe out the count of wrong codes.
  await recordSuccess(ctx, credentials);
  return account;
}

async function checkPassword(ctx: Context, credentials: Credentials): Promise<AccountCredentials> {
  const email = parseEmail(credentials.email);
  const found = email === undefined ? undefined : await ctx.store.accounts.findByEmail(email);
  if ((await verifyPassword(credentials.password, found?.passwordHash)) && found) return found;
  await recordFailure(ctx, credentials);
  ctx.audit({ type: 'sign_in_failed', ...(found && { accountId: found.id }), client: credentials.client });
  throw new AppError('invalid_credentials');
}

async function checkSecondFactor(ctx: Context, account: AccountCredentials, { code, ...attempt }: Credentials): Promise<void> {
  const twoFactor = await ctx.store.twoFactor.find(account.id);
  if (!twoFactor || twoFactor.confirmedAt === null) return;
  if (!code?.trim()) throw new AppError('code_required');
  const { secretCipher, confirmedAt } = twoFactor;
  if (await verifyCode(ctx, { accountId: account.id, secretCipher, confirmedAt, code, client: attempt.client })) return;
  await recordFailure(ctx, attempt);
  ctx.audit({ type: 'sign_in_failed', accountId: account.id, client: attempt.client });
  throw new AppError('invalid_code');
}

/** Signs someone in, in the dashboard and over the API alike: with e-mail, password and, if two-factor is on, a code. */
export async function signIn(ctx: Context, credentials: Credentials): Promise<AccountCredentials> {
  const account = await verifyCredentials(ctx, credentials);
  ctx.audit({ type: 'sign_in', accountId: account.id, client: credentials.client });
  return account;
}
