import { AppError } from '../../errors.ts';
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
import { assertFreshSession } from './fresh-session.ts';
import type { HashTenant, WithHashing } from './hashing.ts';
import { verifyPassword } from './passwords.ts';
import { assertNotThrottled, type CountedAttempt, countAttempt, type Limit } from './throttles.ts';
import { verifyCode } from './two-factor-codes.ts';

/** The dependencies of use cases that verify passwords. */
export interface WithIdentity extends WithKeyring, WithHashing, WithAudit {}

/** The credentials with which a user proves to be the owner of an account. */
export interface Proof {
  password: string;
  /** A code from the authenticator, or a recovery code. It is required if two-factor authentication is enabled. */
  code?: string | undefined;
  client: Client;
}

interface Credentials extends Proof {
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
  assertPasswordAllowed(ctx, account);
  await recordSignIn(ctx, { accountId: account.id, relation, client, addressLastUsedAt });
  return toVerified(found);
}

/**
 * Throws if the owner of the account must sign in at a provider. This is checked after the password, so that it reveals nothing about
 * accounts.
 */
function assertPasswordAllowed({ passwordSignIn }: WithProviders, { email }: { email: string }): void {
  if (passwordSignIn !== 'on' && !passwordSignIn.includes(email)) throw new AppError('password_sign_in_off');
}

/** Records a sign-in of any kind. */
export async function recordSignIn(
  ctx: WithStore & WithMail & WithAudit,
  signedIn: { accountId: string; relation: Relation; client: Client; addressLastUsedAt: string | null },
): Promise<void> {
  const { accountId, relation, client, addressLastUsedAt: lastUsedAt } = signedIn;
  if (relation.kind === 'new address') await notifyOfSignIn(ctx, accountId, client);
  await rememberAddress(ctx, { accountId, client, lastUsedAt });
  ctx.audit({ type: 'sign_in', accountId, client });
}

/** Tells the owner of an account about a sign-in from a new device and network, unless this is the account's first sign-in. */
async function notifyOfSignIn(ctx: WithStore & WithMail, accountId: string, { address }: Client): Promise<void> {
  if ((await ctx.store.signInAddresses.list(accountId, 1)).length === 0) return;
  mailNotification(ctx, await addNotification(ctx.store, { kind: 'new_sign_in', detail: { address }, recipients: [accountId] }));
}

/** Verifies that someone who is signed in is the account's owner, before a change that a stolen session must not make. */
export async function confirmIdentity(ctx: WithIdentity, actor: Actor, proof: Proof, { passwordOnly = false } = {}): Promise<Verified> {
  const { accountId, email } = actor;
  const account = await ctx.store.accounts.findById(accountId);
  if (account && !hasPassword(account.passwordHash)) return confirmWithoutPassword(ctx, actor, { proof, passwordOnly });
  const limits = confirmationLimits(accountId);
  const tenant: HashTenant = { kind: 'account', accountId, person: `confirmation:${accountId}` };
  return toVerified(await verify(ctx, proof, { email, limits, tenant, failure: 'confirmation_failed', passwordOnly }));
}

/** Someone without a password proves to be the owner by having just signed in. */
async function confirmWithoutPassword(
  ctx: WithKeyring & WithAudit,
  actor: Actor,
  { proof, passwordOnly }: { proof: Proof; passwordOnly: boolean },
): Promise<Verified> {
  if (actor.via !== 'session') throw new AppError('fresh_sign_in_required');
  await assertFreshSession(ctx, actor);
  const found = await findRecord(ctx, { email: actor.email, client: proof.client });
  if (!found) throw new AppError('unauthorized');
  if (!passwordOnly) await checkSecondFactor(ctx, found, { ...proof, failure: 'confirmation_failed' });
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
 * Checks the password and, if two-factor authentication is enabled, the code. An unknown email and a wrong password take the same time and
 * give the same error. Only a correct password reveals that a code is required.
 */
async function verify(ctx: WithIdentity, proof: Proof, check: Check): Promise<SignInRecord> {
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
  { account: { id: accountId }, secretCipher, twoFactorConfirmedAt: confirmedAt }: SignInRecord,
  { code, client, failure }: Proof & Pick<Check, 'failure'>,
): Promise<void> {
  if (secretCipher === null || confirmedAt === null) return;
  if (!code?.trim()) throw new AppError('code_required');
  // Codes have a separate count, so that a correct password alone does not clear it.
  const attempt = await countAttempt(ctx, codeLimits(accountId));
  if (await verifyCode(ctx, { accountId, secretCipher, confirmedAt, code, client })) return attempt.succeed();
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

function toVerified({ account, twoFactorConfirmedAt }: SignInRecord): Verified {
  return { account, passwordHash: account.passwordHash, twoFactorConfirmedAt };
}
