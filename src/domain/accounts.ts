import { AppError, invalidField } from '../errors.ts';
import type { AccountCredentials } from '../store/accounts.ts';
import type { Context } from './context.ts';
import { parseEmail } from './emails.ts';
import { newId } from './ids.ts';
import { assertAcceptablePassword, hashPassword, verifyPassword } from './passwords.ts';
import { digestKey, newKey } from './secrets.ts';
import { type Attempt, assertNotThrottled, recordFailure, recordSuccess } from './throttle.ts';

/** The token/user info object of the interface. */
export interface TokenInfo {
  token: string;
  userId: string;
  email: string;
  name: string;
}

export interface Registration {
  email: string;
  password: string;
  name?: string | undefined;
}

/** Makes an account with its key, unless registration is closed. */
export async function registerAccount(ctx: Context, registration: Registration, address: string): Promise<TokenInfo> {
  if (ctx.registration === 'closed') throw new AppError('registration_closed');
  return createAccount(ctx, registration, address);
}

/** Makes an account with its key. The operator may always do this. */
export async function createAccount(ctx: Context, registration: Registration, address?: string): Promise<TokenInfo> {
  const email = parseEmail(registration.email);
  if (!email) throw invalidField('/email', 'Not an e-mail address');
  const name = parseName(registration.name) ?? email.slice(0, email.lastIndexOf('@'));
  await assertAcceptablePassword('/password', registration.password, { email });

  const id = newId('u');
  const token = newKey();
  const passwordHash = await ctx.hashing.run(() => hashPassword(registration.password));
  const inserted = await ctx.store.accounts.insert({
    id,
    email,
    name,
    passwordHash,
    keyDigest: digestKey(token),
    keyCipher: ctx.keyring.seal(token, id),
  });
  if (!inserted) throw new AppError('email_taken');
  ctx.audit({ type: 'account_created', accountId: id, ...(address && { address }) });
  return { token, userId: id, email, name };
}

/** Checks e-mail and password. Unknown e-mail and wrong password cost the same time and answer the same. */
export async function authenticate(ctx: Context, attempt: Attempt & { password: string }): Promise<AccountCredentials> {
  await assertNotThrottled(ctx, attempt);
  const account = await ctx.hashing.run(async () => {
    // Asked again in turn: guesses sent side by side must not all pass before the first has failed.
    await assertNotThrottled(ctx, attempt);
    const email = parseEmail(attempt.email);
    const found = email === undefined ? undefined : await ctx.store.accounts.findByEmail(email);
    if (await verifyPassword(attempt.password, found?.passwordHash)) return found;
    await recordFailure(ctx, attempt);
    ctx.audit({ type: 'sign_in_failed', ...(found && { accountId: found.id }), address: attempt.address });
    return undefined;
  });
  if (!account) throw new AppError('invalid_credentials');
  await recordSuccess(ctx, attempt);
  ctx.audit({ type: 'sign_in', accountId: account.id, address: attempt.address });
  return account;
}

/** Sets a new password after checking the current one, and ends every session of the account. */
export async function changePassword(
  ctx: Context,
  change: { accountId: string; email: string; currentPassword: string; newPassword: string; address: string },
): Promise<void> {
  await assertAcceptablePassword('/newPassword', change.newPassword, change);
  await authenticate(ctx, { email: change.email, password: change.currentPassword, address: change.address });
  await setPassword(ctx, change.accountId, change.newPassword);
}

/** Sets a password without asking for the old one: for the operator. */
export async function resetPassword(ctx: Context, email: string, newPassword: string): Promise<void> {
  const parsed = parseEmail(email);
  const account = parsed === undefined ? undefined : await ctx.store.accounts.findByEmail(parsed);
  if (!account) throw new AppError('not_found', { text: `There is no account with the e-mail ${email}` });
  await assertAcceptablePassword('/password', newPassword, account);
  await setPassword(ctx, account.id, newPassword);
}

async function setPassword(ctx: Context, accountId: string, password: string): Promise<void> {
  const passwordHash = await ctx.hashing.run(() => hashPassword(password));
  await ctx.store.accounts.replacePassword(accountId, passwordHash);
  ctx.audit({ type: 'password_changed', accountId });
}

function parseName(text: string | undefined): string | undefined {
  const name = text?.trim();
  if (!name) return undefined;
  if ([...name].length > 100) throw invalidField('/name', 'Use at most 100 characters');
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) throw invalidField('/name', 'Control characters are not allowed');
  return name;
}
