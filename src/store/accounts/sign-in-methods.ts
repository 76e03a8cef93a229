import type { Transaction } from 'kysely';
import { AppError } from '../../errors.ts';
import type { Database } from '../tables.ts';
import { hasPassword } from './no-password.ts';
import { hasPasskeys } from './second-factors.ts';

/** The ways to sign in that the settings of the service allow for an account. Passkeys are always allowed. */
export interface AllowedMethods {
  password: boolean;
  /** The issuers of the configured providers. */
  issuers: string[];
}

/**
 * Throws `last_sign_in_method` if an account has no way to sign in. Call this after removing a way to sign in, in a transaction that has
 * locked the account's row.
 */
export async function assertSignInMethod(transaction: Transaction<Database>, accountId: string, allowed: AllowedMethods): Promise<void> {
  if (await hasPasskeys(transaction, accountId)) return;
  const identities = await transaction.selectFrom('identities').select('issuer').where('account_id', '=', accountId).execute();
  if (identities.some(({ issuer }) => allowed.issuers.includes(issuer))) return;
  const { password_hash: passwordHash } = await transaction
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (!allowed.password || !hasPassword(passwordHash)) throw new AppError('last_sign_in_method');
}
