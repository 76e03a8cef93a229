import { AppError } from '../../errors.ts';
import { networkOf } from '../../platform/networks.ts';
import { type Actor, type Client, credentialOf, type SessionActor } from '../actor.ts';
import type { WithMail } from '../mail/mail.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { digestToken, newToken } from '../secrets/tokens.ts';
import { verificationLimits } from './attempt-limits.ts';
import type { WithAudit } from './audit.ts';
import { recordEndedAccess } from './earlier-access.ts';
import { makeKey } from './keys.ts';
import { assertPerson } from './own-account.ts';
import type { WithRemoval } from './remove-accounts.ts';
import { makeSession } from './sessions.ts';
import { countAttempt, countMail } from './throttles.ts';

interface LinkRequest {
  /** The origin of this service, for the link. */
  origin: string;
  client: Client;
}

const linkLifetimeMs = 24 * 60 * 60 * 1000;
const tooManyLinks = 'A verification link was already sent to this address. Check your inbox, or try again later.';

/**
 * Emails a link to the actor's address. The address is verified when someone who is signed in to the account opens the link. Returns
 * whether the mail server accepted the email.
 */
export async function requestVerification(ctx: WithMail & WithAudit, actor: Actor, request: LinkRequest): Promise<boolean> {
  assertPerson(actor);
  const profile = await ctx.store.accounts.findProfile(actor.accountId);
  if (!profile) throw new AppError('unauthorized');
  if (profile.emailVerified) throw new AppError('email_already_verified');
  await countAttempt(ctx, verificationLimits(profile.email, request.client), tooManyLinks);
  const { task, send } = await makeLink(ctx, { accountId: actor.accountId, email: profile.email }, request);
  return (await ctx.mails.sendNow(task, send)) && ctx.mailer.isConfigured;
}

/**
 * Emails a verification link to an address that was just registered, if email is configured and the address has not received too many
 * links.
 */
export async function sendFirstVerification(
  ctx: WithMail & WithAudit,
  account: { accountId: string; email: string },
  request: LinkRequest,
): Promise<void> {
  if (!ctx.mailer.isConfigured) return;
  const { accountId, email } = account;
  const reason = 'too many verification links for this address or network';
  const isCounted = await countMail(ctx, verificationLimits(email, request.client), { kind: 'verification', accountId, reason });
  if (!isCounted) return;
  const { task, send } = await makeLink(ctx, account, request);
  ctx.mails.send({ ...task, prepare: async () => [{ send }] });
}

/**
 * Verifies the email address of the actor's account with a link. A session is required: a stranger who registered the address knows the
 * password but cannot read the mailbox, and the owner of the mailbox can read it but does not know the password. Returns the token of the
 * session that replaces the actor's, if this was the first proof of the address.
 */
export async function verifyEmail(
  ctx: WithKeyring & WithRemoval & WithMail,
  actor: SessionActor,
  { token, client }: { token: string; client: Client },
): Promise<string | undefined> {
  const { accountId, name } = actor;
  const digest = digestToken(token);
  const linkedId = await ctx.store.mailedLinks.findAccountId('verify-email', digest);
  if (linkedId === undefined) throw new AppError('invalid_verification_link');
  if (linkedId !== accountId) throw new AppError('verification_for_another_account');
  const provider = await ctx.store.sessions.findProvider(actor.sessionId);
  const session = makeSession(ctx, { accountId, client, provider, provedAt: null });
  const { stored: nextKey } = makeKey(ctx, accountId);
  const use = { digest, credential: credentialOf(actor), session: session.record, nextKey };
  const used = await ctx.store.mailedLinks.verifyEmail(use);
  if (!used) throw new AppError('invalid_verification_link');
  if (!used.ended) return undefined;
  ctx.audit({ type: 'email_verified', accountId, client });
  await recordEndedAccess(ctx, { id: accountId, name }, { ended: used.ended, client });
  return session.token;
}

/** Stores a link, and returns a function that sends it. */
async function makeLink(ctx: WithMail & WithAudit, { accountId, email }: { accountId: string; email: string }, request: LinkRequest) {
  const token = newToken();
  const expiresAt = new Date(Date.now() + linkLifetimeMs);
  await ctx.store.mailedLinks.insert({ kind: 'verify-email', digest: digestToken(token), accountId, expiresAt });
  ctx.audit({ type: 'verification_requested', accountId, client: request.client });
  const message = { accountId, email, link: `${request.origin}/verify?token=${token}` };
  const task = { kind: 'verification' as const, accountId, cause: networkOf(request.client.address) };
  return { task, send: () => ctx.mailer.sendVerificationLink(message) };
}
