import { type Kysely, sql, type Transaction } from 'kysely';
import { hasRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';
import { forExistingAccount } from './credentials.ts';

/** Returns whether an account has a passkey. Run this in a transaction that has locked the account's row. */
export async function hasPasskeys(db: Kysely<Database>, accountId: string): Promise<boolean> {
  return hasRows(db.selectFrom('passkeys').where('account_id', '=', accountId));
}

/** Returns whether an account has a confirmed authenticator. Run this in a transaction that has locked the account's row. */
export async function hasAuthenticator(db: Kysely<Database>, accountId: string): Promise<boolean> {
  return hasRows(db.selectFrom('two_factors').where('account_id', '=', accountId).where('confirmed_at', 'is not', null));
}

/** A column for queries on accounts: 1 if the account has a passkey. */
export const hasPasskeysColumn =
  sql<number>`case when exists (select 1 from passkeys where passkeys.account_id = accounts.id) then 1 else 0 end`.as('hasPasskeys');

/** Replaces all recovery codes of an account. Run this in a transaction that has locked the account's row. */
export async function replaceCodes(transaction: Transaction<Database>, accountId: string, codeDigests: string[]): Promise<void> {
  await deleteRecoveryCodes(transaction, accountId);
  const rows = codeDigests.map((digest) => ({ account_id: accountId, code_digest: digest }));
  await forExistingAccount(() => transaction.insertInto('recovery_codes').values(rows).execute());
}

export async function deleteRecoveryCodes(transaction: Transaction<Database>, accountId: string): Promise<void> {
  await transaction.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
}
