import { AppError, invalidField } from '../../errors.ts';
import { networkOf } from '../../platform/networks.ts';
import { type Actor, type Client, credentialOf, type SessionActor, systemCredential } from '../actor.ts';
import type { WithMail } from '../mail/mail.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { digestToken, newToken } from '../secrets/tokens.ts';
import { getAccountByEmail } from './accounts.ts';
import { emailNoticeLimits, verificationLimits } from './attempt-limits.ts';
import type { WithAudit } from './audit.ts';
import { recordEndedAccess } from './earlier-access.ts';
import { getEmail } from './emails.ts';
import { makeKey } from './keys.ts';
import { assertPerson } from './own-account.ts';
import type { WithRemoval } from './remove-accounts.ts';
import { makeSession } from './sessions.ts';
import { confirmIdentity, type Proof, type WithIdentity } from './sign-in.ts';
import { countAttempt, countMail } from './throttles.ts';

const linkLifetimeMs = 24 * 60 * 60 * 1000;
const tooManyLinks = 'Too many links were sent to this address. Check its inbox, or try again later.';

interface EmailChange extends Proof {
  email: string;
  /** The origin of this service, for the link. */
  origin: string;
}

/**
 * Emails a link to a new address. The address of the account changes when someone who is signed in to the account opens the link. The old
 * address is notified. If another account has the new address, the owner of that account gets an email without a link, and the response is
 * the same. Returns whether the mail server accepted the email.
 */
export async function requestEmailChange(ctx: WithIdentity & WithMail, actor: Actor, { origin, ...change }: EmailChange): Promise<boolean> {
  assertPerson(actor);
  const { accountId } = actor;
  const { client } = change;
  const email = getEmail(change.email);
  if (email === actor.email) throw invalidField('/email', 'This is already your email address');
  await confirmIdentity(ctx, actor, change);
  await countAttempt(ctx, verificationLimits(email, client), tooManyLinks);
  const token = newToken();
  const isTaken = (await ctx.store.accounts.findByEmail(email)) !== undefined;
  const expiresAt = new Date(Date.now() + linkLifetimeMs);
  await ctx.store.emailChanges.request(credentialOf(actor), { digest: digestToken(token), email, expiresAt });
  ctx.audit({ type: 'email_change_requested', accountId, client, detail: { email } });
  await tellOldAddress(ctx, { accountId, email: actor.email, client, isDone: false, origin });
  const link = `${origin}/confirm-email?token=${token}`;
  const send = () =>
    isTaken ? ctx.mailer.sendEmailTaken({ accountId, email }) : ctx.mailer.sendEmailChangeLink({ accountId, email, link });
  const task = { kind: 'verification', accountId, cause: networkOf(client.address) } as const;
  return (await ctx.mails.sendNow(task, send)) && ctx.mailer.isConfigured;
}

/** Cancels a change of address that is not confirmed yet. The link for the change stops working. */
export async function cancelEmailChange(ctx: WithAudit, actor: Actor, client: Client): Promise<void> {
  assertPerson(actor);
  if (!(await ctx.store.emailChanges.cancel(credentialOf(actor)))) throw new AppError('not_found');
  ctx.audit({ type: 'email_change_canceled', accountId: actor.accountId, client });
}

/**
 * Changes the actor's address with a link. As with a verification link, a session is required, so that nobody can attach a stranger's
 * mailbox to their account. The key and the second factor stay the same, unless no address of the account was proved before. Returns the
 * token of the session that replaces the actor's.
 */
export async function confirmEmailChange(
  ctx: WithKeyring & WithRemoval & WithMail,
  actor: SessionActor,
  { token, client, origin }: { token: string; client: Client; origin: string },
): Promise<{ email: string; sessionToken: string }> {
  const { accountId, name } = actor;
  const digest = digestToken(token);
  const linkedId = await ctx.store.mailedLinks.findAccountId('change-email', digest);
  if (linkedId === undefined) throw new AppError('invalid_email_change_link');
  if (linkedId !== accountId) throw new AppError('verification_for_another_account');
  const provider = await ctx.store.sessions.findProvider(actor.sessionId);
  const session = makeSession(ctx, { accountId, client, provider, provedAt: null });
  const { stored: nextKey } = makeKey(ctx, accountId);
  const use = { digest, credential: credentialOf(actor), session: session.record, nextKey };
  const changed = await ctx.store.emailChanges.confirm(use);
  if (!changed) throw new AppError('invalid_email_change_link');
  const { email, previous, ended } = changed;
  ctx.audit({ type: 'email_changed', accountId, client, detail: { email } });
  if (ended) {
    ctx.audit({ type: 'email_verified', accountId, client });
    await recordEndedAccess(ctx, { id: accountId, name }, { ended, client });
  }
  if (previous !== undefined) await tellOldAddress(ctx, { accountId, email: previous, client, isDone: true, origin });
  return { email, sessionToken: session.token };
}

/** Changes the address of an account on behalf of the operator. The new address counts as unverified, because nobody has proved it. */
export async function setEmail(ctx: WithAudit, { email, newEmail }: { email: string; newEmail: string }): Promise<void> {
  const account = await getAccountByEmail(ctx, email);
  const next = getEmail(newEmail);
  if (next === account.email) throw invalidField('/email', 'This is already the email address of the account');
  if (!(await ctx.store.emailChanges.set(systemCredential(account.id), next))) throw new AppError('not_found');
  ctx.audit({ type: 'email_changed', accountId: account.id, detail: { email: next } });
}

/**
 * Notifies the old address about a change, even if that address was never verified: its owner may not know that someone else controls the
 * account. The number of emails to one mailbox is limited.
 */
async function tellOldAddress(
  ctx: WithAudit & WithMail,
  { client, ...notice }: { accountId: string; email: string; client: Client; isDone: boolean; origin: string },
): Promise<void> {
  const { accountId, email, isDone } = notice;
  const reason = 'the address has received too many notices about email changes';
  if (!(await countMail(ctx, emailNoticeLimits(email, isDone), { kind: 'email change', accountId, reason }))) return;
  const task = { kind: 'email change', accountId, cause: networkOf(client.address) } as const;
  ctx.mails.send({ ...task, prepare: async () => [{ send: () => ctx.mailer.sendEmailChangeNotice(notice) }] });
}
