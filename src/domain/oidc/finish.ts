import { AppError } from '../../errors.ts';
import { noPasswordHash } from '../../store/accounts/no-password.ts';
import type { SessionProvider } from '../../store/accounts/provider-sessions.ts';
import type { VerifiedProof } from '../../store/accounts/sessions.ts';
import { providerLimits, registrationLimits, takenEmailLimits } from '../accounts/attempt-limits.ts';
import { sendFirstVerification } from '../accounts/email-verification.ts';
import { makeKey } from '../accounts/keys.ts';
import { findSession } from '../accounts/sessions.ts';
import { findRelation, recordSignIn, type WithIdentity } from '../accounts/sign-in.ts';
import { countAttempt } from '../accounts/throttles.ts';
import { type Client, credentialOf } from '../actor.ts';
import { newId } from '../ids.ts';
import type { WithMail } from '../mail/mail.ts';
import { type Claims, needsUserInfo, readClaims } from './claims.ts';
import { assertFresh, type Flow, useFlow } from './flows.ts';
import { applyRoles, decideRoles } from './groups.ts';
import type { LoadedProvider, WithProviders } from './providers.ts';

type Ctx = WithIdentity & WithMail & WithProviders;

export interface ReturnedBrowser {
  /** The address at which the browser came back, with the provider's parameters. */
  url: URL;
  /** The origin of this service, for links in emails. */
  origin: string;
  client: Client;
  device: string | undefined;
}

export interface ProviderSignIn {
  accountId: string;
  verified: VerifiedProof;
  provider: SessionProvider;
}

/** Signs in a person who comes back from a provider. If the person has no account and registration is allowed, registers an account. */
export async function finishProviderSignIn(ctx: Ctx, flow: Flow, browser: ReturnedBrowser): Promise<ProviderSignIn> {
  const { settings, claims } = await readPerson(ctx, flow, browser);
  const { client } = browser;
  const { isAllowed, roles } = decideRoles(settings, claims.groups);
  const known = await ctx.store.identities.findAccount(claims);
  if (known) await applyRoles(ctx, { userId: known.id, name: known.name }, { roles, provider: settings.id, client });
  if (!isAllowed) {
    if (known) await refuse(ctx, { accountId: known.id, claims, client });
    throw new AppError('group_required');
  }
  assertEmailAllowed(claims, settings.domains);
  if (!known) {
    const added = await addIdentity(ctx, { ...claims, provider: settings }, browser);
    await applyRoles(ctx, added, { roles, provider: settings.id, client });
  }
  const account = known ?? (await ctx.store.identities.findAccount(claims));
  if (!account) throw new AppError('sign_in_expired');
  await ctx.store.identities.touch(claims, claims.email ?? null);
  const { relation, found } = await findRelation(ctx, { email: account.email, client, device: browser.device });
  await recordSignIn(ctx, {
    accountId: account.id,
    client,
    addressLastUsedAt: found?.addressLastUsedAt ?? null,
    isNew: relation.kind === 'new address',
  });
  const { passwordHash, twoFactorConfirmedAt } = account;
  const hasPasskeys = account.hasPasskeys === 1;
  const identity = { issuer: claims.issuer, subject: claims.subject, issuedAt: claims.issuedAt };
  return {
    accountId: account.id,
    verified: { passwordHash, twoFactorConfirmedAt, hasPasskeys, identity, provedAt: limitToNow(claims.authenticatedAt) },
    provider: toProvider(claims),
  };
}

/** Returns the time that a provider states, or the current time if the stated time is in the future. */
function limitToNow(time = new Date()): Date {
  return new Date(Math.min(time.getTime(), Date.now()));
}

/** Links the identity to the account whose session started the flow, if the browser still has that session. */
export async function finishProviderLink(
  ctx: Ctx,
  flow: Flow & Required<Pick<Flow, 'link'>>,
  browser: ReturnedBrowser & { sessionToken: string | undefined },
): Promise<void> {
  const session = browser.sessionToken === undefined ? undefined : await findSession(ctx, browser.sessionToken);
  if (!session || session.actor.sessionId !== flow.link?.sessionId) throw new AppError('session_changed');
  const { settings, claims } = await readPerson(ctx, flow, browser);
  assertEmailAllowed(claims, settings.domains);
  const { issuer, subject, email = null } = claims;
  await ctx.store.identities.link(credentialOf(session.actor), { issuer, subject, email });
  const detail = { provider: settings.name };
  ctx.audit({ type: 'identity_linked', accountId: session.actor.accountId, client: browser.client, detail });
}

/** Redeems the code at the provider and returns what the provider states about the person. */
async function readPerson(ctx: Ctx, flow: Flow, { url, client }: ReturnedBrowser) {
  // The count limits how often an address can make this service send requests to the provider.
  const attempt = await countAttempt(ctx, providerLimits(client), 'Too many failed sign-ins from your address. Try again later.');
  const provider = await ctx.providers.get(flow.provider);
  await useFlow(ctx, flow);
  try {
    const claims = await redeem(provider, flow, url);
    assertFresh(flow, claims.authenticatedAt);
    await attempt.succeed();
    return { settings: provider.settings, claims };
  } catch (err) {
    await attempt.fail();
    throw ctx.providers.refuse(flow.provider, err);
  }
}

async function redeem({ settings, config }: LoadedProvider, { state, nonce, verifier }: Flow, url: URL): Promise<Claims> {
  const client = await import('openid-client');
  const tokens = await client.authorizationCodeGrant(config, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const token = tokens.claims();
  if (!token) throw new Error('The provider sent no id token');
  const mayAsk = config.serverMetadata().userinfo_endpoint !== undefined && needsUserInfo(token, settings);
  const userInfo = mayAsk ? await client.fetchUserInfo(config, tokens.access_token, token.sub) : undefined;
  return readClaims(token, userInfo, settings);
}

function assertEmailAllowed({ isEmailTrusted }: Claims, domains: string[]): void {
  if (domains.length > 0 && !isEmailTrusted) throw new AppError('email_refused');
}

/** Links a new identity to the account with its email address, or registers an account for the identity. */
async function addIdentity(
  ctx: Ctx,
  { provider, ...claims }: Claims & { provider: LoadedProvider['settings'] },
  { client, origin }: ReturnedBrowser,
): Promise<{ userId: string; name: string }> {
  const { issuer, subject, email, isEmailTrusted } = claims;
  if (email === undefined) throw new AppError('email_missing');
  const existing = await ctx.store.accounts.findByEmail(email);
  const detail = { provider: provider.name };
  if (existing) {
    // Each refusal reveals that the address has an account.
    const attempt = await countAttempt(ctx, takenEmailLimits(client));
    if (!isEmailTrusted) throw new AppError('identity_unlinked');
    await ctx.store.identities.linkByEmail({ issuer, subject, email, accountId: existing.id });
    await attempt.succeed();
    ctx.audit({ type: 'identity_linked', accountId: existing.id, client, detail });
    return { userId: existing.id, name: existing.name };
  }
  if (provider.registration === 'closed') throw new AppError('registration_closed');
  await countAttempt(ctx, registrationLimits(client), 'Too many registrations from your address. Try again later.');
  const id = newId('u');
  const name = claims.name || email.slice(0, email.lastIndexOf('@'));
  const account = { id, email, name, passwordHash: noPasswordHash(), ...makeKey(ctx, id).stored };
  const conflict = await ctx.store.identities.register(account, { issuer, subject, email, isVerified: isEmailTrusted });
  if (conflict) throw new AppError(conflict === 'email' ? 'identity_unlinked' : 'sign_in_expired');
  ctx.audit({ type: 'account_created', accountId: id, client });
  ctx.audit({ type: 'identity_linked', accountId: id, client, detail });
  if (!isEmailTrusted) await sendFirstVerification(ctx, { accountId: id, email }, { client, origin });
  return { userId: id, name };
}

/** Ends the sessions of a person who may no longer sign in. */
async function refuse(ctx: Ctx, { accountId, claims, client }: { accountId: string; claims: Claims; client: Client }): Promise<void> {
  const hasEnded = await ctx.store.identities.refuseSignIns({ accountId, provider: toProvider(claims), issuedAt: claims.issuedAt });
  if (hasEnded) ctx.audit({ type: 'sessions_ended', accountId, client });
}

function toProvider({ issuer, sub, sessionId }: Claims): SessionProvider {
  return { issuer, subject: sub, sessionId };
}
