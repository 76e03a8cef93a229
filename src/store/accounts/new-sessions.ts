import { sql, type Transaction } from 'kysely';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { type Credential, holdProvider } from './credentials.ts';
import type { SessionProvider } from './provider-sessions.ts';

export interface NewSessionRecord {
  id: string;
  tokenDigest: string;
  accountId: string;
  provider?: SessionProvider | undefined;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
  address: string | null;
  userAgent: string | null;
  /** When the person proved their identity. Null if a link started the session in place of another session. */
  provedAt: string | null;
}

/**
 * The maximum number of sessions per account. It limits the length of the list of sessions, and the number of sessions that a password
 * change has to end at once.
 */
const maxSessions = 100;

/** Inserts a session of an account whose row is locked, and ends the account's oldest sessions if there are too many. */
export async function insertSession(transaction: Transaction<Database>, session: NewSessionRecord): Promise<void> {
  const { provider } = session;
  // A session may replace another session that a logout token is just ending.
  if (provider) await holdProvider(transaction, provider.issuer);
  const row = {
    id: session.id,
    token: session.tokenDigest,
    account_id: session.accountId,
    expires_at: session.expiresAt,
    ip_address: session.address,
    user_agent: session.userAgent,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    proved_at: session.provedAt,
    issuer: provider?.issuer ?? null,
    subject: provider?.subject ?? null,
    provider_session: provider?.sessionId ?? null,
  };
  await transaction.insertInto('sessions').values(row).execute();
  const newest = sql`select id from sessions where account_id = ${session.accountId} order by created_at desc, id desc limit ${maxSessions}`;
  await deleteBatch(transaction, 'sessions', sql`account_id = ${session.accountId} and id not in (${newest})`);
}

/** Ends the sessions of an account whose row is locked, except the credential's own session. Returns whether any sessions were ended. */
export async function endOtherSessions(transaction: Transaction<Database>, credential: Credential): Promise<boolean> {
  let ending = transaction.deleteFrom('sessions').where('account_id', '=', credential.accountId);
  if (credential.via === 'session') ending = ending.where('id', '<>', credential.sessionId);
  return (await ending.executeTakeFirstOrThrow()).numDeletedRows > 0n;
}
