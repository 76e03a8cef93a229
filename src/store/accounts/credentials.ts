import { type Kysely, sql } from 'kysely';
import { AppError } from '../../errors.ts';
import type { Database } from '../tables.ts';

/** What a change to an account is made with: its key, one of its sessions, or nothing of it, by the service itself or its operator. */
export type Credential = { accountId: string } & (
  | { via: 'key'; keyDigest: string }
  | { via: 'session'; sessionId: string }
  | { via: 'system' }
);

interface HeldAccount {
  passwordHash: string;
  keyDigest: string;
}

/**
 * Throws `unauthorized` unless the credential is valid now, and until the end of the transaction: whatever ends keys or sessions of an
 * account locks its row too. So a request whose credential has ended cannot commit anything after that, however early it began.
 */
export async function holdCredential(transaction: Kysely<Database>, credential: Credential): Promise<void> {
  const { accountId } = credential;
  const account = await holdAccount(transaction, accountId);
  if (credential.via === 'system') return;
  const isValid =
    credential.via === 'key'
      ? account?.keyDigest === credential.keyDigest
      : account !== undefined && (await hasSession(transaction, accountId, credential.sessionId));
  if (!isValid) throw new AppError('unauthorized');
}

/** Locks an account's row until the end of the transaction, and reads what is current. Undefined if the account is deleted. */
export async function holdAccount(transaction: Kysely<Database>, accountId: string): Promise<HeldAccount | undefined> {
  // An update that changes nothing, because SQLite has no `select … for update`.
  return transaction
    .updateTable('accounts')
    .set({ updated_at: sql.ref<string>('updated_at') })
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .returning(['password_hash as passwordHash', 'key_digest as keyDigest'])
    .executeTakeFirst();
}

async function hasSession(db: Kysely<Database>, accountId: string, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}
