import { randomInt } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { networkOf } from '../../platform/networks.ts';
import type { Client } from '../actor.ts';
import type { WithMail } from '../mail/mail.ts';
import type { Mail } from '../mail/mail-queue.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { digestToken, newToken } from '../secrets/tokens.ts';
import { endLockout, hashForAccount, listKnownAddresses } from './accounts.ts';
import { type Attempt, resetLinkLimits } from './attempt-limits.ts';
import type { WithAudit } from './audit.ts';
import { recordEndedAccess } from './earlier-access.ts';
import { getEmail, parseEmail } from './emails.ts';
import { makeKey } from './keys.ts';
import { assertAcceptablePassword } from './passwords.ts';
import type { WithRemoval } from './remove-accounts.ts';
import { findRelation, type WithIdentity } from './sign-in.ts';
import { assertNotThrottled, countAttempt } from './throttles.ts';

interface ResetRequest extends Attempt {
  device?: string | undefined;
  /** The origin of this service, for the link. */
  origin: string;
}

const linkLifetimeMs = 30 * 60 * 1000;
const minDelayMs = 100;
const maxDelayMs = 1000;
const tooManyLinks = 'Too many reset links were requested. Try again later.';

/**
 * Emails a link for setting a new password, if the account exists. The work happens some time after the response, and runs the same queries
 * if there is no such account. Therefore, neither the response nor its duration reveals who has an account. Text that is not an email
 * address is refused, which reveals nothing about accounts.
 */
export async function requestPasswordReset(ctx: WithKeyring & WithMail & WithAudit, request: ResetRequest): Promise<void> {
  getEmail(request.email);
  const { relation } = await findRelation(ctx, request);
  const limits = resetLinkLimits(request, relation);
  await assertNotThrottled(ctx, limits, tooManyLinks);
  await countAttempt(ctx, limits, tooManyLinks);
  const cause = networkOf(request.client.address);
  ctx.mails.send({ kind: 'reset link', cause, delayMs: randomInt(minDelayMs, maxDelayMs), prepare: () => prepareLink(ctx, request) });
}

/**
 * Sets a new password with a link, which works only once, and ends all sessions. The API key and two-factor authentication stay unchanged.
 * However, if this is the first proof of the address, all earlier access is revoked.
 */
export async function resetPasswordByLink(
  ctx: WithIdentity & WithRemoval & WithMail,
  { token, newPassword, client }: { token: string; newPassword: string; client: Client },
): Promise<void> {
  const digest = digestToken(token);
  const accountId = await ctx.store.mailedLinks.findAccountId('reset-password', digest);
  const account = accountId === undefined ? undefined : await ctx.store.accounts.findById(accountId);
  if (!account) throw new AppError('invalid_reset_link');
  // The password is checked before the link is used, so that a rejected password does not use up the link.
  await assertAcceptablePassword('/newPassword', newPassword, account);
  const passwordHash = await hashForAccount(ctx, account.id, newPassword);
  const { stored: nextKey } = makeKey(ctx, account.id);
  // The addresses are read before the link is used, because the first proof of an email address deletes them.
  const addresses = await listKnownAddresses(ctx, account.id);
  const used = await ctx.store.mailedLinks.resetPassword({ digest, accountId: account.id, passwordHash, nextKey });
  if (!used) throw new AppError('invalid_reset_link');
  await endLockout(ctx, account, [client.address, ...addresses]);
  ctx.audit({ type: 'password_reset', accountId: account.id, client });
  if (!used.ended) return;
  ctx.audit({ type: 'email_verified', accountId: account.id, client });
  await recordEndedAccess(ctx, account, { ended: used.ended, client });
}

async function prepareLink(ctx: WithMail & WithAudit, { email, client, origin }: ResetRequest): Promise<Mail[]> {
  const account = await ctx.store.accounts.findByEmail(parseEmail(email) ?? '');
  const token = newToken();
  const now = Date.now();
  // If there is no account, an expired link that belongs to nobody is stored, so that both cases write the same rows.
  const link = account
    ? { digest: digestToken(token), accountId: account.id, expiresAt: new Date(now + linkLifetimeMs) }
    : { digest: digestToken(token), accountId: 'nobody', expiresAt: new Date(now) };
  const profile = await ctx.store.accounts.findProfile(link.accountId);
  await ctx.store.mailedLinks.insert({ kind: 'reset-password', ...link });
  ctx.audit({ type: 'password_reset_requested', ...(account && { accountId: account.id }), client });
  if (!account || !profile) return [];
  const { id: accountId, email: to } = account;
  const message = { accountId, email: to, link: `${origin}/reset?token=${token}`, isFirstProof: !profile.emailVerified };
  return [{ accountId, send: () => ctx.mailer.sendResetLink(message) }];
}
