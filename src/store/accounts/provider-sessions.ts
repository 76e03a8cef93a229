import type { Kysely, Transaction } from 'kysely';
import { hasRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import { holdAccount, holdProvider } from './credentials.ts';

/** The provider that signed a person in, with the values that its logout tokens name. */
export interface SessionProvider {
  issuer: string;
  /** The `sub` of the person. */
  subject: string;
  /** The `sid` of the person's session at the provider. */
  sessionId: string | null;
}

/**
 * The content of a provider's logout token. The token ends all sessions of a subject, or the sessions that belong to one of the subject's
 * sessions at the provider.
 */
export interface ProviderLogout {
  /** The digest of the token. */
  digest: string;
  issuer: string;
  subject: string | undefined;
  sessionId: string | undefined;
  issuedAt: Date;
}

/** A sign-in that was refused because the id token shows that the person may no longer sign in. `issuedAt` is the time of the id token. */
export interface RefusedSignIn {
  accountId: string;
  provider: SessionProvider;
  issuedAt: Date;
}

/**
 * The time for which a logout is stored. It is longer than the lifetime of a logout token, and longer than a person can take to sign in.
 */
const logoutRetentionMs = 15 * 60 * 1000;

/**
 * Ends the sessions that a logout token names. Returns the accounts that had such sessions, or undefined if the token was used before. The
 * token is marked as used and the sessions end in one transaction.
 */
export async function acceptLogout(db: Kysely<Database>, logout: ProviderLogout): Promise<string[] | undefined> {
  const { issuer, subject, sessionId } = logout;
  return runTransaction(db, async (transaction) => {
    await holdProvider(transaction, issuer);
    if (!(await insertLogout(transaction, logout))) return undefined;
    let ending = transaction.deleteFrom('sessions').where('issuer', '=', issuer);
    if (subject !== undefined) ending = ending.where('subject', '=', subject);
    if (sessionId !== undefined) {
      // A provider may send the id of its session only in the logout token. The subject then identifies the sessions.
      ending = ending.where(({ eb, or }) =>
        or([eb('provider_session', '=', sessionId), ...(subject === undefined ? [] : [eb('provider_session', 'is', null)])]),
      );
    }
    const rows = await ending.returning('account_id').execute();
    return [...new Set(rows.map((row) => row.account_id))];
  });
}

/**
 * Ends the account's sessions that a provider started, and refuses sign-ins in progress whose id tokens are not newer than that of the
 * refused sign-in. Returns whether there were such sessions.
 */
export async function refuseSignIns(db: Kysely<Database>, { accountId, provider, issuedAt }: RefusedSignIn): Promise<boolean> {
  const { issuer, subject } = provider;
  return runTransaction(db, async (transaction) => {
    await holdAccount(transaction, accountId);
    await holdProvider(transaction, issuer);
    const digest = `refused ${issuer} ${subject} ${issuedAt.getTime()}`;
    await insertLogout(transaction, { digest, issuer, subject, sessionId: undefined, issuedAt });
    const ending = transaction.deleteFrom('sessions').where('account_id', '=', accountId).where('issuer', '=', issuer);
    return (await ending.executeTakeFirstOrThrow()).numDeletedRows > 0n;
  });
}

/** Stores a logout. Of several concurrent insertions of the same logout, exactly one returns true. */
async function insertLogout(transaction: Transaction<Database>, logout: ProviderLogout): Promise<boolean> {
  const { digest, issuer, subject, sessionId, issuedAt } = logout;
  const { numInsertedOrUpdatedRows: inserted } = await transaction
    .insertInto('provider_logouts')
    .values({
      id: digest,
      issuer,
      subject: subject ?? null,
      provider_session: sessionId ?? null,
      issued_at: issuedAt.toISOString(),
      expires_at: new Date(Date.now() + logoutRetentionMs).toISOString(),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return inserted === 1n;
}

/**
 * Returns whether a logout names the session at the provider, or names the person and is not older than the sign-in. No further logout is
 * accepted before the transaction ends.
 */
export async function isLoggedOut(
  transaction: Transaction<Database>,
  { issuer, subject, sessionId }: SessionProvider,
  issuedAt: Date,
): Promise<boolean> {
  await holdProvider(transaction, issuer);
  const logouts = transaction
    .selectFrom('provider_logouts')
    .where('issuer', '=', issuer)
    .where(({ eb, or }) =>
      // A session at the provider that has ended never starts again, whereas a person can sign in again.
      or([eb('issued_at', '>=', issuedAt.toISOString()), ...(sessionId === null ? [] : [eb('provider_session', '=', sessionId)])]),
    )
    .where(({ eb, or }) => or([eb('subject', 'is', null), eb('subject', '=', subject)]))
    // A session whose id at the provider is unknown is identified by the subject.
    .where(({ eb, or }) =>
      sessionId === null ? eb('subject', 'is not', null) : or([eb('provider_session', 'is', null), eb('provider_session', '=', sessionId)]),
    );
  return hasRows(logouts);
}
