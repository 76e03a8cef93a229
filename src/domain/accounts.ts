import { AppError, invalidField } from '../errors.ts';
import type { AccountCredentials, AccountProfile } from '../store/accounts.ts';
import { digestKey } from '../store/key-digest.ts';
import type { Context } from './context.ts';
import { parseEmail } from './emails.ts';
import { type Proof, proveIdentity } from './identity.ts';
import { newId } from './ids.ts';
import { assertAcceptablePassword, hashPassword } from './passwords.ts';
import { newKey } from './secrets.ts';

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

/** Signs someone in, on the dashboard and by API alike: e-mail, password and, with two-factor on, a code. */
export async function authenticate(ctx: Context, proof: Proof): Promise<AccountCredentials> {
  const account = await proveIdentity(ctx, proof);
  ctx.audit({ type: 'sign_in', accountId: account.id, address: proof.address });
  return account;
}

/** What the owner is shown of the account. */
export async function getAccount(ctx: Context, id: string): Promise<AccountProfile> {
  const profile = await ctx.store.accounts.findProfile(id);
  if (!profile) throw new AppError('unauthorized');
  return profile;
}

/** Gives the account another display name. */
export async function renameAccount(ctx: Context, id: string, text: string): Promise<AccountProfile> {
  const name = parseName(text);
  if (name === undefined) throw invalidField('/name', 'Use at least 1 character');
  await ctx.store.accounts.rename(id, name);
  return getAccount(ctx, id);
}

/** Deletes the account with all it owns: key, sessions, prompts, statistics. There is no way back. */
export async function deleteAccount(ctx: Context, proof: Proof): Promise<void> {
  const { id } = await proveIdentity(ctx, proof);
  if (await ctx.store.accounts.delete(id)) ctx.audit({ type: 'account_deleted', accountId: id, address: proof.address });
}

/** Sets a new password after checking the current one, and ends every session of the account. */
export async function changePassword(
  ctx: Context,
  change: { accountId: string; email: string; currentPassword: string; newPassword: string; address: string },
): Promise<void> {
  await assertAcceptablePassword('/newPassword', change.newPassword, change);
  await proveIdentity(ctx, { email: change.email, password: change.currentPassword, address: change.address }, { passwordOnly: true });
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
