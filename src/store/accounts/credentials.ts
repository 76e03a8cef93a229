import { type Kysely, sql, type Transaction } from 'kysely';
import { AppError } from '../../errors.ts';
import { isMissingReference } from '../engine/errors.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

const lockMs = 60 * 60 * 1000;

/**
 * The credential that authorizes a change to an account: its key or one of its sessions. `system` stands for the service itself or its
 * operator.
 */
export type Credential = { accountId: string } & (
  | { via: 'key'; keyDigest: string }
  | { via: 'session'; sessionId: string }
  | { via: 'system' }
);

/**
 * Throws `unauthorized` if the credential is not valid. Otherwise, the credential stays valid until the end of the transaction, because
 * every change that ends a key or a session locks the same rows. A request therefore cannot commit anything after its credential has
 * ended, no matter when it began.
 */
export async function holdCredential(transaction: Kysely<Database>, credential: Credential, next?: NextSession): Promise<void> {
  const { accountId } = credential;
  const account = await holdAccount(transaction, accountId);
  // A logout token locks the provider before the sessions, so this order avoids a deadlock.
  if (next?.provider) await holdProvider(transaction, next.provider.issuer);
  if (credential.via === 'system') return;
  const isValid =
    credential.via === 'key'
      ? account?.keyDigest === credential.keyDigest
      : account !== undefined && (await holdSession(transaction, credential));
  if (!isValid) throw new AppError('unauthorized');
}

/** The session that replaces the credential's own. */
interface NextSession {
  provider?: { issuer: string } | undefined;
}

/**
 * Runs a change in a transaction, in which the credential stays valid until the commit. `next` is the session that the change starts in
 * place of the credential's own session, if any.
 */
export function changeWithCredential<T>(
  db: Kysely<Database>,
  credential: Credential,
  change: (transaction: Transaction<Database>) => Promise<T>,
  next?: NextSession,
): Promise<T> {
  return runTransaction(db, async (transaction) => {
    await holdCredential(transaction, credential, next);
    return change(transaction);
  });
}

async function holdSession(transaction: Kysely<Database>, { sessionId, accountId }: Credential & { via: 'session' }): Promise<boolean> {
  const result = await transaction
    .updateTable('sessions')
    .set({ updated_at: sql.ref<string>('updated_at') })
    .where('id', '=', sessionId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return result.numUpdatedRows === 1n;
}

/** Locks an account's row until the end of the transaction, and reads it. Returns undefined if the account is deleted. */
export async function holdAccount(transaction: Kysely<Database>, accountId: string) {
  // The row is locked by an update that changes nothing, because SQLite has no `select … for update`.
  return transaction
    .updateTable('accounts')
    .set({ updated_at: sql.ref<string>('updated_at') })
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .returning(['password_hash as passwordHash', 'key_digest as keyDigest'])
    .executeTakeFirst();
}

/** Makes transactions that start or end sessions of a provider wait for each other. */
export async function holdProvider(transaction: Kysely<Database>, issuer: string): Promise<void> {
  // The row is locked by writing it, because SQLite has no `select … for update`.
  const row = { id: `provider ${issuer}`, expires_at: new Date(Date.now() + lockMs).toISOString() };
  await transaction
    .insertInto('used_tokens')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at: row.expires_at }))
    .execute();
}

/**
 * Runs an insert that refers to an account. If the account was deleted in the meantime, throws the error that the account's next request
 * would get.
 */
export async function forExistingAccount<T>(insert: () => Promise<T>): Promise<T> {
  try {
    return await insert();
  } catch (err) {
    throw isMissingReference(err) ? new AppError('unauthorized', { cause: err }) : err;
  }
}
