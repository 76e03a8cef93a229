import { AppError } from '../../errors.ts';
import type { Client } from '../actor.ts';
import type { Context } from '../context.ts';
import { digestToken, newToken } from '../secrets/tokens.ts';
import { parseEmail } from './emails.ts';
import { assertAcceptablePassword, hashPassword } from './passwords.ts';
import { type Attempt, countResetRequest } from './throttles.ts';

const linkLifetimeMs = 30 * 60 * 1000;

/**
 * Sends a link for setting a new password, if the account exists. The work runs after the response, so that neither its
 * content nor its timing reveals who has an account.
 */
export async function requestPasswordReset(ctx: Context, request: Attempt & { origin: string }): Promise<void> {
  await countResetRequest(ctx, request);
  ctx.background.run('reset link', async () => {
    const email = parseEmail(request.email);
    const account = email === undefined ? undefined : await ctx.store.accounts.findByEmail(email);
    if (!account) return;
    const token = newToken();
    const expiresAt = new Date(Date.now() + linkLifetimeMs);
    await ctx.store.passwordResets.insert({ digest: digestToken(token), accountId: account.id, expiresAt });
    await ctx.mailer.sendResetLink({ accountId: account.id, email: account.email, link: `${request.origin}/reset?token=${token}` });
  });
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
  const passwordHash = await ctx.hashing.run(() => hashPassword(newPassword));
  if (!(await ctx.store.passwordResets.use({ digest, accountId: account.id, passwordHash }))) throw new AppError('invalid_reset_link');
  ctx.audit({ type: 'password_reset', accountId: account.id, client });
}
