import type { Account, Registration } from '../../contract/accounts.ts';
import type { TokenInfo } from '../../contract/keys.ts';
import { maxAccountNameLength } from '../../contract/limits.ts';
import { AppError, invalidField } from '../../errors.ts';
import { digestKey } from '../../store/accounts/key-digest.ts';
import type { Actor, Client } from '../actor.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';
import { parseEmail } from './emails.ts';
import { newKey, toTokenInfo } from './keys.ts';
import { assertAcceptablePassword, hashPassword } from './passwords.ts';
import { removeAccountRows } from './remove-accounts.ts';
import { type Credentials, verifyCredentials } from './sign-in.ts';

/** Creates an account and its key, unless registration is closed. */
export async function registerAccount(ctx: Context, registration: Registration, client: Client): Promise<TokenInfo> {
  if (ctx.registration === 'closed') throw new AppError('registration_closed');
  return createAccount(ctx, registration, client);
}

/** Creates an account and its key, even while registration is closed: for the operator. */
export async function createAccount(ctx: Context, registration: Registration, client?: Client): Promise<TokenInfo> {
  const email = parseEmail(registration.email);
  if (!email) throw invalidField('/email', 'Not an email address');
  const name = parseName(registration.name) ?? email.slice(0, email.lastIndexOf('@'));
  await assertAcceptablePassword('/password', registration.password, { email });

  const id = newId('u');
  const token = newKey();
  const passwordHash = await hashInQueue(ctx, registration.password);
  const inserted = await ctx.store.accounts.insert({
    id,
    email,
    name,
    passwordHash,
    keyDigest: digestKey(token),
    keyCipher: ctx.keyring.seal(token, id),
  });
  if (!inserted) throw new AppError('email_taken');
  ctx.audit({ type: 'account_created', accountId: id, ...(client && { client }) });
  return toTokenInfo(token, { accountId: id, email, name });
}

/** The account as its owner sees it. */
export async function getAccount(ctx: Context, { accountId }: Actor): Promise<Account> {
  const profile = await ctx.store.accounts.findProfile(accountId);
  if (!profile) throw new AppError('unauthorized');
  const { id: userId, ...rest } = profile;
  return { userId, ...rest };
}

/** Changes the display name. */
export async function renameAccount(ctx: Context, actor: Actor, text: string): Promise<Account> {
  const name = parseName(text);
  if (name === undefined) throw invalidField('/name', 'Use at least 1 character');
  await ctx.store.accounts.rename(actor.accountId, name);
  return getAccount(ctx, actor);
}

/** Deletes the account and everything it owns: key, sessions, prompts, statistics. This cannot be undone. */
export async function deleteAccount(ctx: Context, { accountId, email }: Actor, proof: Omit<Credentials, 'email'>): Promise<void> {
  await verifyCredentials(ctx, { email, ...proof });
  if (!(await ctx.store.accounts.delete(accountId))) return;
  ctx.audit({ type: 'account_deleted', accountId, client: proof.client });
  ctx.background.run('removing the rows of a deleted account', () => removeAccountRows(ctx, accountId));
}

/** Sets a new password after checking the current one, ends every session of the account and returns the new hash. */
export async function changePassword(
  ctx: Context,
  { accountId, email }: Actor,
  { currentPassword, newPassword, client }: { currentPassword: string; newPassword: string; client: Client },
): Promise<string> {
  await assertAcceptablePassword('/newPassword', newPassword, { email });
  const verified = await verifyCredentials(ctx, { email, password: currentPassword, client }, { passwordOnly: true });
  const passwordHash = await hashInQueue(ctx, newPassword);
  // A reset by link in the meantime wins: whoever changes the password here may be the one whom the reset locks out.
  if (!(await ctx.store.accounts.replacePassword(accountId, { passwordHash, currentHash: verified.passwordHash }))) {
    throw new AppError('invalid_credentials');
  }
  ctx.audit({ type: 'password_changed', accountId, client });
  return passwordHash;
}

/** Sets a password without verifying the old one: for the operator. */
export async function resetPassword(ctx: Context, { email, newPassword }: { email: string; newPassword: string }): Promise<void> {
  const parsed = parseEmail(email);
  const account = parsed === undefined ? undefined : await ctx.store.accounts.findByEmail(parsed);
  if (!account) throw new AppError('not_found', { text: `There is no account with the email ${email}` });
  await assertAcceptablePassword('/password', newPassword, account);
  await ctx.store.accounts.replacePassword(account.id, { passwordHash: await hashInQueue(ctx, newPassword) });
  ctx.audit({ type: 'password_changed', accountId: account.id });
}

function hashInQueue(ctx: Context, password: string): Promise<string> {
  return ctx.hashing.run(() => hashPassword(password));
}

function parseName(text: string | undefined): string | undefined {
  const name = text?.trim();
  if (!name) return undefined;
  if ([...name].length > maxAccountNameLength) throw invalidField('/name', `Use at most ${maxAccountNameLength} characters`);
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) throw invalidField('/name', 'Control characters are not allowed');
  return name;
}
