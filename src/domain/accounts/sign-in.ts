import { AppError } from '../../errors.ts';
import type { AccountCredentials } from '../../store/accounts/accounts.ts';
import type { Context } from '../context.ts';
import { parseEmail } from './emails.ts';
import { verifyPassword } from './passwords.ts';
import { type Attempt, assertNotThrottled, recordFailure, recordSuccess } from './throttles.ts';
import { verifyCode } from './two-factor-codes.ts';

/** What a user presents to prove ownership of an account. */
export interface Credentials extends Attempt {
  password: string;
  /** A code from the authenticator, or a recovery code. Required when two-factor is enabled. */
  code?: string | undefined;
}

/** Verifies a sign-in, whether in the dashboard or over the API, and records it. */
export async function signIn(ctx: Context, credentials: Credentials): Promise<AccountCredentials> {
  const account = await verifyCredentials(ctx, credentials);
  ctx.audit({ type: 'sign_in', accountId: account.id, client: credentials.client });
  return account;
}

/**
 * Checks email, password and, with two-factor enabled, the code. An unknown email and a wrong password take the same time and
 * give the same error; only a correct password reveals that a code is required. `passwordOnly` is for users already signed in.
 */
export async function verifyCredentials(
  ctx: Context,
  credentials: Credentials,
  { passwordOnly = false } = {},
): Promise<AccountCredentials> {
  await assertNotThrottled(ctx, credentials);
  const account = await ctx.hashing.run(async () => {
    // Checked again after queueing, so that parallel guesses cannot all pass before the first one has failed.
    await assertNotThrottled(ctx, credentials);
    const found = await checkPassword(ctx, credentials);
    if (!passwordOnly) await checkSecondFactor(ctx, found, credentials);
    return found;
  });
  // Only after the code: someone who knows just the password must not be able to reset the count of wrong codes.
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
