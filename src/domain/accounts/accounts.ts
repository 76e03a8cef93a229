import type { Account, Registration } from '../../contract/accounts.ts';
import type { TokenInfo } from '../../contract/keys.ts';
import { AppError } from '../../errors.ts';
import { networkOf } from '../../platform/networks.ts';
import type { AccountCredentials } from '../../store/accounts/accounts.ts';
import type { Credential } from '../../store/accounts/credentials.ts';
import type { FirstProof } from '../../store/accounts/earlier-access.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, type Client, credentialOf, type SessionActor, systemCredential, toPerson } from '../actor.ts';
import { newId } from '../ids.ts';
import type { WithMail } from '../mail/mail.ts';
import type { WithProviders } from '../oidc/providers.ts';
import { getInvitationProof } from '../workspaces/invitations.ts';
import { leaveWorkspaces } from '../workspaces/leave-workspaces.ts';
import { clearedByReset, registrationLimits, takenEmailLimits } from './attempt-limits.ts';
import type { WithAudit } from './audit.ts';
import { sendFirstVerification } from './email-verification.ts';
import { getEmail, parseEmail } from './emails.ts';
import type { HashTenant, WithHashing } from './hashing.ts';
import { makeKey, toTokenInfo } from './keys.ts';
import { getName, parseName } from './names.ts';
import { assertPerson } from './own-account.ts';
import { assertAcceptablePassword, hashPassword } from './passwords.ts';
import { removeSoon, type WithRemoval } from './remove-accounts.ts';
import { makeSession } from './sessions.ts';
import { confirmCurrentPassword, confirmIdentity, type Proof, rememberAddress, type WithIdentity } from './sign-in.ts';
import { assertNotThrottled, countAttempt } from './throttles.ts';

export interface WithRegistration {
  registration: 'open' | 'closed';
  /** Whether accounts can use workspaces only after their email address was verified. */
  requiresVerifiedEmail: boolean;
}

/** Creates an account and its key, unless registration is closed and there is no invitation. Emails a link to verify the address. */
export async function registerAccount(
  ctx: WithIdentity & WithRegistration & WithMail & WithProviders,
  registration: Registration,
  { client, origin }: { client: Client; origin: string },
) {
  const { invitation } = registration;
  if (ctx.passwordSignIn !== 'on') throw new AppError('password_sign_in_off');
  if (invitation === undefined && ctx.registration === 'closed') throw new AppError('registration_closed');
  const provedBy = invitation === undefined ? undefined : await getInvitationProof(ctx, { ...registration, token: invitation, client });
  await assertNotThrottled(ctx, [...registrationLimits(client), ...takenEmailLimits(client)], tooManyRegistrations);
  const registered = await insertAccount(ctx, registration, { client, provedBy });
  const { userId: accountId, email } = registered.info;
  await rememberAddress(ctx, { accountId, client, lastUsedAt: null });
  if (provedBy !== 'mail') await sendFirstVerification(ctx, { accountId, email }, { client, origin });
  return registered;
}

/** Creates an account and its key on behalf of the operator, even while registration is closed. */
export async function createAccount(ctx: WithIdentity, registration: Registration): Promise<TokenInfo> {
  return (await insertAccount(ctx, registration, {})).info;
}

async function insertAccount(
  ctx: WithIdentity,
  registration: Registration,
  { client, provedBy }: { client?: Client; provedBy?: FirstProof['by'] | undefined },
) {
  const email = getEmail(registration.email);
  const name = parseName(registration.name) ?? email.slice(0, email.lastIndexOf('@'));
  await assertAcceptablePassword('/password', registration.password, { email });

  const id = newId('u');
  const { token, stored } = makeKey(ctx, id);
  // The email is checked before the password is hashed, because hashing is costly. The insert catches concurrent registrations.
  if (await ctx.store.accounts.findByEmail(email)) return refuseTakenEmail(ctx, client);
  const tenant: HashTenant = client ? { kind: 'registration', address: networkOf(client.address) } : { kind: 'operator' };
  const passwordHash = await ctx.hashing.run(tenant, async () => {
    if (client) await countAttempt(ctx, registrationLimits(client), tooManyRegistrations);
    return hashPassword(registration.password);
  });
  const inserted = await ctx.store.accounts.insert({ id, email, name, passwordHash, provedBy, ...stored });
  if (!inserted) return refuseTakenEmail(ctx, client);
  ctx.audit({ type: 'account_created', accountId: id, ...(client && { client }) });
  // The first session starts only if the account is still in this state.
  const verified = { passwordHash, twoFactorConfirmedAt: null, hasPasskeys: false };
  return { info: toTokenInfo(token, { accountId: id, email, name }), verified };
}

/** Returns the account as its owner sees it. */
export async function getAccount(ctx: WithStore & WithMail & WithRegistration, actor: Actor): Promise<Account> {
  assertPerson(actor);
  const profile = await ctx.store.accounts.findProfile(actor.accountId);
  if (!profile) throw new AppError('unauthorized');
  const { id: userId, ...rest } = profile;
  const pendingEmail = (await ctx.store.emailChanges.findPending(userId)) ?? null;
  const verificationRequired = ctx.requiresVerifiedEmail && !profile.emailVerified;
  return { userId, ...rest, pendingEmail, verificationRequired, sendsEmail: ctx.mailer.isConfigured };
}

/** Changes the account's display name, which is also the name of its own workspace. */
export async function renameAccount(
  ctx: WithAudit & WithMail & WithRegistration,
  actor: Actor,
  { client, ...input }: { name: string; client: Client },
): Promise<Account> {
  assertPerson(actor);
  const { accountId } = actor;
  const name = getName(input.name);
  await ctx.store.accounts.rename(accountId, name);
  const detail = { name, previous: { name: actor.name } };
  if (name !== actor.name) ctx.audit({ type: 'workspace_changed', accountId, client, by: toPerson(actor), detail });
  return getAccount(ctx, actor);
}

/**
 * Deletes the account, its key, its sessions, its memberships, and its workspace with all prompts, statistics, service accounts and
 * members. This cannot be undone.
 */
export async function deleteAccount(ctx: WithIdentity & WithRemoval, actor: Actor, proof: Proof): Promise<void> {
  await confirmIdentity(ctx, actor, proof);
  await leaveWorkspaces(ctx, actor, { by: toPerson(actor), client: proof.client });
  await eraseAccount(ctx, credentialOf(actor), proof.client);
}

/** Deletes an account on behalf of the operator, without asking for the account's password. */
export async function removeAccount(ctx: WithRemoval, account: Pick<Actor, 'accountId' | 'name'>): Promise<void> {
  await leaveWorkspaces(ctx, account, { by: null, client: undefined });
  await eraseAccount(ctx, systemCredential(account.accountId));
}

/**
 * Sets a new password and ends all sessions of the account. If the account already has a password, it is checked first. Returns the token
 * of the session that replaces the actor's.
 */
export async function changePassword(
  ctx: WithIdentity,
  actor: SessionActor,
  { currentPassword, newPassword, client }: { currentPassword?: string | undefined; newPassword: string; client: Client },
): Promise<string> {
  const { accountId, email } = actor;
  await assertAcceptablePassword('/newPassword', newPassword, { email });
  const verified = await confirmCurrentPassword(ctx, actor, { password: currentPassword, client });
  const passwordHash = await hashForAccount(ctx, accountId, newPassword);
  // The new session keeps the provider of the actor's session, so that the provider can still end it.
  const provider = await ctx.store.sessions.findProvider(actor.sessionId);
  const hasSecondFactor = verified.twoFactorConfirmedAt !== null || verified.hasPasskeys;
  const { token, record: session } = makeSession(ctx, { accountId, client, provider, ...(hasSecondFactor && { provedAt: null }) });
  // If the password was reset with a link in the meantime, the reset wins. The caller of this function may be the intruder whom the owner
  // wants to lock out.
  const change = { passwordHash, currentHash: verified.passwordHash, session };
  if (!(await ctx.store.accounts.replacePassword(credentialOf(actor), change))) throw new AppError('invalid_credentials');
  ctx.audit({ type: 'password_changed', accountId, client });
  return token;
}

/** Sets a password on behalf of the operator, without verifying the old password. */
export async function resetPassword(
  ctx: WithHashing & WithAudit,
  { email, newPassword }: { email: string; newPassword: string },
): Promise<void> {
  const account = await getAccountByEmail(ctx, email);
  await assertAcceptablePassword('/password', newPassword, account);
  await ctx.store.accounts.replacePassword(systemCredential(account.id), {
    passwordHash: await hashForAccount(ctx, account.id, newPassword),
  });
  await endLockout(ctx, account, await listKnownAddresses(ctx, account.id));
  ctx.audit({ type: 'password_changed', accountId: account.id });
}

/** Returns the account with this email. Only the operator may look accounts up in this way. */
export async function getAccountByEmail(ctx: WithStore, email: string): Promise<AccountCredentials> {
  const parsed = parseEmail(email);
  const account = parsed === undefined ? undefined : await ctx.store.accounts.findByEmail(parsed);
  if (!account) throw new AppError('not_found', { text: `There is no account with the email ${email}` });
  return account;
}

/** Hashes a new password for a caller who has already proved that they may set it. */
export function hashForAccount(ctx: WithHashing, accountId: string, password: string): Promise<string> {
  return ctx.hashing.run({ kind: 'account', accountId, person: `new password ${accountId}` }, () => hashPassword(password));
}

/**
 * Clears the failed sign-ins of an account after its password was reset, so that other people's guesses do not keep the owner locked out.
 */
export async function endLockout(ctx: WithStore, { email }: { email: string }, addresses: string[]): Promise<void> {
  await ctx.store.throttles.settle({ cleared: clearedByReset(email, addresses), takenBack: [] });
}

/** Lists the addresses from which an account has signed in. */
export function listKnownAddresses(ctx: WithStore, accountId: string): Promise<string[]> {
  return ctx.store.signInAddresses.list(accountId, maxKnownAddresses);
}

const maxKnownAddresses = 100;
const tooManyRegistrations = 'Too many registrations from your address. Try again later.';

/** Refuses an email that is already registered. Refusals are counted, because each one reveals that the email has an account. */
async function refuseTakenEmail(ctx: WithStore, client: Client | undefined): Promise<never> {
  if (client) await countAttempt(ctx, takenEmailLimits(client), tooManyRegistrations);
  throw new AppError('email_taken');
}

async function eraseAccount(ctx: WithRemoval, credential: Credential, client?: Client): Promise<void> {
  const deleted = await ctx.store.accounts.delete(credential.accountId, credential);
  for (const id of deleted) ctx.audit({ type: 'account_deleted', accountId: id, ...(client && { client }) });
  removeSoon(ctx, deleted);
}
