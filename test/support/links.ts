import assert from 'node:assert/strict';
import { resetPasswordByLink } from '../../src/domain/accounts/password-resets.ts';
import { digestToken, newToken } from '../../src/domain/secrets/tokens.ts';
import type { TestAccount } from './client.ts';
import type { Service } from './service.ts';

/** Returns the token of the newest link in the log for an account. An operator without a mail server finds it there. */
export async function newestLink(
  service: Service,
  { userId }: Pick<TestAccount, 'userId'>,
  page: 'reset' | 'verify' | 'confirm-email',
): Promise<string> {
  await service.ctx.mails.drain(60_000);
  const line = service
    .logs()
    .split('\n')
    .findLast((each) => each.includes(`/${page}?token=`) && each.includes(userId));
  const token = /token=([\w-]{43})"/.exec(line ?? '')?.[1];
  assert.ok(token, `no ${page} link of ${userId} was logged`);
  return token;
}

/** Verifies an account's address by resetting its password to the same one. Returns the account with its new key. */
export async function verifyAddress<A extends Pick<TestAccount, 'userId' | 'password'>>(
  { ctx }: Service,
  account: A,
): Promise<A & { token: string }> {
  const { userId: accountId, password: newPassword } = account;
  const token = newToken();
  const expiresAt = new Date(Date.now() + 60_000);
  await ctx.store.mailedLinks.insert({ kind: 'reset-password', digest: digestToken(token), accountId, expiresAt });
  await resetPasswordByLink(ctx, { token, newPassword, client: { address: '127.0.0.1', userAgent: undefined } });
  const stored = await ctx.store.accounts.findById(accountId);
  const key = stored && ctx.keyring.open(stored.keyCipher, accountId);
  assert.ok(key);
  return { ...account, token: key };
}
