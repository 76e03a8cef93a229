import { AppError, invalidField } from '../../errors.ts';
import { networkOf } from '../../platform/networks.ts';
import type { AccountCredentials, SignInRecord } from '../../store/accounts/accounts.ts';
import { hasPassword } from '../../store/accounts/no-password.ts';
import type { VerifiedProof } from '../../store/accounts/sessions.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor, Client } from '../actor.ts';
import type { WithMail } from '../mail/mail.ts';
import { addNotification, mailNotification } from '../notifications/notify.ts';
import type { WithProviders } from '../oidc/providers.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { type Attempt, codeLimits, confirmationLimits, passwordLimits, type Relation } from './attempt-limits.ts';
import type { WithAudit } from './audit.ts';
import { findDevice } from './devices.ts';
import { parseEmail } from './emails.ts';
import { assertFreshSignIn } from './fresh-sign-in.ts';
import type { HashTenant, WithHashing } from './hashing.ts';
import { verifyPassword } from './passwords.ts';
import { acceptsPassword } from './sign-in-methods.ts';
import { assertNotThrottled, type CountedAttempt, countAttempt, type Limit } from './throttles.ts';
import { verifyCode } from './two-factor-codes.ts';

/** The dependencies of use cases that verify passwords. */
export interface WithIdentity extends WithKeyring, WithHashing, WithAudit {}

/** The credentials with which a user proves that an account is theirs. */
export interface Proof {
  /** The password is not needed for a change shortly after a proof of identity in the same session, see ./fresh-sign-in.ts. */
  password?: string | undefined;
  /** A code from the authenticator, or a recovery code. It is required if the account has an authenticator or a passkey. */
  code?: string | undefined;
  client: Client;
}

interface PasswordProof extends Proof {
  password: string;
}

interface Credentials extends PasswordProof {
  email: string;
  /** The token that the browser got at an earlier sign-in, see ./devices.ts. */
  device?: string | undefined;
}

/** An account whose owner has just proved their identity, and the state that the proof depends on. */
export interface Verified extends VerifiedProof {
  account: AccountCredentials;
}

const dayMs = 24 * 60 * 60 * 1000;
const addressRetentionMs = 90 * dayMs;
const recoveryCodeRequired = 'Sign in with a passkey, or enter a recovery code';

/** Verifies and records a sign-in, in the dashboard or over the API. */
export async function signIn(ctx: WithIdentity & WithMail & WithProviders, credentials: Credentials): Promise<Verified> {
  const { client } = credentials;
  const { found: before, relation } = await findRelation(ctx, credentials);
  const limits = passwordLimits(credentials, relation);
  const tenant: HashTenant =
    relation.kind === 'new address' || !before
      ? { kind: 'new address', address: networkOf(client.address) }
      : { kind: 'account', accountId: before.account.id, person: limits[0]?.name ?? '' };
  const found = await verify(ctx, credentials, { email: credentials.email, limits, tenant, failure: 'sign_in_failed' });
  const { account, addressLastUsedAt } = found;
  // This setting is checked after the password, so that the check reveals nothing about accounts.
  if (!acceptsPassword(ctx, account.email)) throw new AppError('password_sign_in_off');
  await recordSignIn(ctx, { accountId: account.id, client, addressLastUsedAt, isNew: relation.kind === 'new address' });
  return toVerified(found);
}

/** Records a sign-in. If it comes from a new address, notifies the owner. */
export async function recordSignIn(
  ctx: WithAudit & WithMail,
  { accountId, client, addressLastUsedAt: lastUsedAt, isNew }: RecordedSignIn,
): Promise<void> {
  if (isNew) await notifyOfSignIn(ctx, accountId, client);
  await rememberAddress(ctx, { accountId, client, lastUsedAt });
  ctx.audit({ type: 'sign_in', accountId, client });
}

interface RecordedSignIn {
  accountId: string;
  client: Client;
  addressLastUsedAt: string | null;
  isNew: boolean;
}

/** Tells the owner of an account about a sign-in from a new device and network, unless this is the account's first sign-in. */
async function notifyOfSignIn(ctx: WithStore & WithMail, accountId: string, { address }: Client): Promise<void> {
  if ((await ctx.store.signInAddresses.list(accountId, 1)).length === 0) return;
  mailNotification(ctx, await addNotification(ctx.store, { kind: 'new_sign_in', detail: { address }, recipients: [accountId] }));
}

/**
 * Verifies that someone who is signed in is the account's owner, before a change that a stolen session must not make. If no password is
 * given, the person must have proved their identity in the same session a short time ago.
 */
export async function confirmIdentity(ctx: WithIdentity, actor: Actor, proof: Proof): Promise<void> {
  const { password } = proof;
  if (password === undefined) await assertFreshSignIn(ctx, actor);
  else await confirmPassword(ctx, actor, { ...proof, password });
}

/** Verifies the password of someone who is signed in and, unless `passwordOnly` is set, the second factor. */
export async function confirmPassword(
  ctx: WithIdentity,
  { accountId, email }: Actor,
  proof: PasswordProof,
  { passwordOnly = false }: { passwordOnly?: boolean } = {},
): Promise<Verified> {
  const limits = confirmationLimits(accountId);
  const tenant: HashTenant = { kind: 'account', accountId, person: `confirmation:${accountId}` };
  return toVerified(await verify(ctx, proof, { email, limits, tenant, failure: 'confirmation_failed', passwordOnly }));
}

/** Verifies that someone who sets a new password knows the current one or, if the account has none, has just signed in. */
export async function confirmCurrentPassword(ctx: WithIdentity, actor: Actor, { password, client }: Proof): Promise<Verified> {
  if (password !== undefined) return confirmPassword(ctx, actor, { password, client }, { passwordOnly: true });
  const found = await findRecord(ctx, { email: actor.email, client });
  if (!found) throw new AppError('unauthorized');
  if (hasPassword(found.account.passwordHash)) throw invalidField('/currentPassword', 'Enter your current password');
  await assertFreshSignIn(ctx, actor);
  return toVerified(found);
}

/** Finds the account that an attempt concerns, if it exists, and how the attempt relates to it. */
export async function findRelation(
  ctx: WithStore & WithKeyring,
  attempt: Attempt & { device?: string | undefined },
): Promise<{ found: SignInRecord | undefined; relation: Relation }> {
  const found = await findRecord(ctx, attempt);
  const deviceId = findDevice(ctx, { accountId: found?.account.id ?? '', passwordHash: found?.account.passwordHash ?? '' }, attempt.device);
  if (!found) return { found, relation: { kind: 'new address' } };
  if (deviceId !== undefined) return { found, relation: { kind: 'device', deviceId } };
  const isKnown = found.addressLastUsedAt !== null && Date.now() - Date.parse(found.addressLastUsedAt) < addressRetentionMs;
  return { found, relation: { kind: isKnown ? 'known address' : 'new address' } };
}

/** Records that the account has signed in from the client's address, at most once a day, so that most sign-ins write nothing. */
export async function rememberAddress(
  ctx: WithStore,
  { accountId, client, lastUsedAt }: { accountId: string; client: Client; lastUsedAt: string | null },
): Promise<void> {
  const now = Date.now();
  if (lastUsedAt !== null && now - Date.parse(lastUsedAt) < dayMs) return;
  const address = { accountId, address: networkOf(client.address), forgetBefore: new Date(now - addressRetentionMs) };
  await ctx.store.signInAddresses.add(address).catch(async (err: unknown) => {
    // The account may have been deleted since it was authenticated.
    throw (await ctx.store.accounts.findById(accountId)) ? err : new AppError('unauthorized');
  });
}

interface Check {
  email: string;
  limits: Limit[];
  tenant: HashTenant;
  /** The event to record for a wrong password or code. */
  failure: 'sign_in_failed' | 'confirmation_failed';
  passwordOnly?: boolean;
}

/**
 * Checks the password and, if the account has a second factor, the code. An unknown email and a wrong password take the same time and
 * give the same error. Only a correct password reveals that a code is required.
 */
async function verify(ctx: WithIdentity, proof: PasswordProof, check: Check): Promise<SignInRecord> {
  const { email, limits, tenant, failure, passwordOnly = false } = check;
  const { client } = proof;
  const checkPassword = async () => {
    const attempt = await countAttempt(ctx, limits);
    // The record is read after the wait in the queue. A password that was replaced during the wait is therefore not accepted.
    const record = await findRecord(ctx, { email, client });
    if ((await verifyPassword(proof.password, record?.account.passwordHash)) && record) {
      await attempt.succeed();
      return record;
    }
    await reportFailure(ctx, attempt, { type: failure, accountId: record?.account.id, client });
    throw new AppError('invalid_credentials');
  };
  const found = await ctx.hashing.run(tenant, checkPassword, () => assertNotThrottled(ctx, limits));
  if (!passwordOnly) await checkSecondFactor(ctx, found, { ...proof, failure });
  return found;
}

async function checkSecondFactor(
  ctx: WithKeyring & WithAudit,
  { account: { id: accountId }, secretCipher, twoFactorConfirmedAt: confirmedAt, hasPasskeys }: SignInRecord,
  { code, client, failure }: Proof & Pick<Check, 'failure'>,
): Promise<void> {
  const authenticator = secretCipher === null || confirmedAt === null ? undefined : { secretCipher, confirmedAt };
  if (!authenticator && !hasPasskeys) return;
  if (!code?.trim()) throw new AppError('code_required', authenticator ? {} : { text: recoveryCodeRequired });
  // Codes have a separate count, so that a correct password alone does not clear it.
  const attempt = await countAttempt(ctx, codeLimits(accountId));
  if (await verifyCode(ctx, { accountId, authenticator, code, client })) return attempt.succeed();
  await reportFailure(ctx, attempt, { type: failure, accountId, client });
  throw new AppError('invalid_code');
}

/** Records a failed attempt, and whether it starts a wait. Attempts during a wait are not recorded, because their number is unlimited. */
export async function reportFailure(
  ctx: WithAudit,
  attempt: CountedAttempt,
  { type, accountId, client }: { type: Check['failure']; accountId: string | undefined; client: Client },
): Promise<void> {
  const event = { ...(accountId !== undefined && { accountId }), client };
  ctx.audit({ type, ...event });
  if (await attempt.fail()) ctx.audit({ type: 'attempts_throttled', ...event });
}

async function findRecord(ctx: WithStore, { email, client }: Attempt): Promise<SignInRecord | undefined> {
  const parsed = parseEmail(email);
  // The query runs even if the text is not an email address, so that both cases take equally long.
  return ctx.store.accounts.findForSignIn(parsed ?? '', networkOf(client.address));
}

function toVerified({ account, twoFactorConfirmedAt, hasPasskeys }: SignInRecord): Verified {
  return { account, passwordHash: account.passwordHash, twoFactorConfirmedAt, hasPasskeys };
}
