import { hash, randomBytes } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Client } from '../actor.ts';
import type { Context } from '../context.ts';
import { parseEmail } from './emails.ts';
import { assertAcceptablePassword, hashPassword } from './passwords.ts';
import { type Attempt, takeResetRequest } from './throttles.ts';

const linkLifetimeMs = 30 * 60 * 1000;

/**
 * Sends a link to set a new password with, if there is such an account. The work is done behind the answer: neither what
 * is answered nor how long it takes says who has an account.
 */
export async function requestPasswordReset(ctx: Context, request: Attempt & { origin: string }): Promise<void> {
  await takeResetRequest(ctx, request);
  ctx.background.run('reset link', async () => {
    const email = parseEmail(request.email);
    const account = email === undefined ? undefined : await ctx.store.accounts.findByEmail(email);
    if (!account) return;
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(Date.now() + linkLifetimeMs);
    await ctx.store.passwordResets.insert({ digest: digestToken(token), accountId: account.id, expiresAt });
    await ctx.mailer.sendResetLink({ accountId: account.id, email: account.email, link: `${request.origin}/reset?token=${token}` });
  });
}

/** Sets a new password with a link that was sent. Uses it up and ends all sessions; the API key and two-factor stay. */
export async function resetPasswordByLink(
  ctx: Context,
  { token, newPassword, client }: { token: string; newPassword: string; client: Client },
): Promise<void> {
  const digest = digestToken(token);
  const accountId = await ctx.store.passwordResets.findAccountId(digest);
  const account = accountId === undefined ? undefined : await ctx.store.accounts.findById(accountId);
  if (!account) throw new AppError('invalid_reset_link');
  // A password that is not acceptable leaves the link as it is, to try another.
  await assertAcceptablePassword('/newPassword', newPassword, account);
  const passwordHash = await ctx.hashing.run(() => hashPassword(newPassword));
  if (!(await ctx.store.passwordResets.use({ digest, accountId: account.id, passwordHash }))) throw new AppError('invalid_reset_link');
  ctx.audit({ type: 'password_reset', accountId: account.id, client });
}

/** A token has 256 random bits, so a plain digest cannot be guessed back. */
function digestToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
