import { randomInt } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Client } from '../actor.ts';
import type { Context } from '../context.ts';
import { digestToken, newToken } from '../secrets/tokens.ts';
import { endLockout, hashForAccount } from './accounts.ts';
import { getEmail, parseEmail } from './emails.ts';
import { type Attempt, resetLinkLimits } from './limits.ts';
import { assertAcceptablePassword } from './passwords.ts';
import { findRelation } from './sign-in.ts';
import { assertNotThrottled, countAttempt } from './throttles.ts';

interface ResetRequest extends Attempt {
  device?: string | undefined;
  /** The origin of the link. */
  origin: string;
}

const linkLifetimeMs = 30 * 60 * 1000;
const minDelayMs = 100;
const maxDelayMs = 1000;
const tooManyLinks = 'Too many reset links were requested, try again later';

/**
 * Sends a link for setting a new password, if the account exists. The work runs some time after the response, and with the same queries
 * if there is no such account, so that neither the response nor the duration of it or of the next one reveals who has an account. What is
 * not an email address is refused, which only depends on the text.
 */
export async function requestPasswordReset(ctx: Context, request: ResetRequest): Promise<void> {
  getEmail(request.email);
  const { relation } = await findRelation(ctx, request);
  const limits = resetLinkLimits(request, relation);
  await assertNotThrottled(ctx, limits, tooManyLinks);
  await countAttempt(ctx, limits, tooManyLinks);
  ctx.background.run('reset link', () => sendLink(ctx, request), { delayMs: randomInt(minDelayMs, maxDelayMs) });
}

/** Sets a new password with a link, which works only once, and ends all sessions. The API key and two-factor stay. */
export async function resetPasswordByLink(
  ctx: Context,
  { token, newPassword, client }: { token: string; newPassword: string; client: Client },
): Promise<void> {
  const digest = digestToken(token);
  const accountId = await ctx.store.passwordResets.findAccountId(digest);
  const account = accountId === undefined ? undefined : await ctx.store.accounts.findById(accountId);
  if (!account) throw new AppError('invalid_reset_link');
  // Checked before the link is used, so that a rejected password does not cost the user the link.
  await assertAcceptablePassword('/newPassword', newPassword, account);
  const passwordHash = await hashForAccount(ctx, account.id, newPassword);
  if (!(await ctx.store.passwordResets.use({ digest, accountId: account.id, passwordHash }))) throw new AppError('invalid_reset_link');
  await endLockout(ctx, account, client);
  ctx.audit({ type: 'password_reset', accountId: account.id, client });
}

async function sendLink(ctx: Context, { email, client, origin }: ResetRequest): Promise<void> {
  const account = await ctx.store.accounts.findByEmail(parseEmail(email) ?? '');
  const token = newToken();
  const now = Date.now();
  // Without an account, a link that belongs to nobody and has expired already, so that the same is written.
  const link = account
    ? { digest: digestToken(token), accountId: account.id, expiresAt: new Date(now + linkLifetimeMs) }
    : { digest: digestToken(token), accountId: 'nobody', expiresAt: new Date(now) };
  await ctx.store.passwordResets.insert(link);
  ctx.audit({ type: 'password_reset_requested', ...(account && { accountId: account.id }), client });
  if (account) await ctx.mailer.sendResetLink({ accountId: account.id, email: account.email, link: `${origin}/reset?token=${token}` });
}
