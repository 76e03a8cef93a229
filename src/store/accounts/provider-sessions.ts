import type { Kysely, Transaction } from 'kysely';
import { hasRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';

/** The provider that signed a person in, with the values that its logout tokens name. */
export interface SessionProvider {
  issuer: string;
  /** The `sub` of the person. */
  subject: string;
  /** The `sid` of the person's session at the provider. */
  sessionId: string | null;
}

/** What a provider's logout token states: the sessions of a subject, or of one of its sessions at the provider, have ended. */
export interface ProviderLogout {
  /** The digest of the token. */
  digest: string;
  issuer: string;
  subject: string | undefined;
  sessionId: string | undefined;
  issuedAt: Date;
  expiresAt: Date;
}

const lockMs = 60 * 60 * 1000;

/**
 * Ends the sessions that a logout token names. Returns the accounts that had such sessions, or undefined if the token was used before.
 * Either the token is used and the sessions have ended, or neither.
 */
export async function acceptLogout(db: Kysely<Database>, logout: ProviderLogout): Promise<string[] | undefined> {
  const { digest, issuer, subject, sessionId, issuedAt, expiresAt } = logout;
  return runTransaction(db, async (transaction) => {
    await holdProvider(transaction, issuer);
    const { numInsertedOrUpdatedRows: inserted } = await transaction
      .insertInto('provider_logouts')
      .values({
        id: digest,
        issuer,
        subject: subject ?? null,
        provider_session: sessionId ?? null,
        issued_at: issuedAt.toISOString(),
        expires_at: expiresAt.toISOString(),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    if (inserted !== 1n) return undefined;
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

/** Returns whether a logout token that is not older than a sign-in names it. None is accepted before the transaction ends. */
export async function isLoggedOut(
  transaction: Transaction<Database>,
  { issuer, subject, sessionId }: SessionProvider,
  issuedAt: Date,
): Promise<boolean> {
  await holdProvider(transaction, issuer);
  const logouts = transaction
    .selectFrom('provider_logouts')
    .where('issuer', '=', issuer)
    .where('issued_at', '>=', issuedAt.toISOString())
    .where(({ eb, or }) => or([eb('subject', 'is', null), eb('subject', '=', subject)]))
    // A session whose id at the provider is unknown is identified by the subject.
    .where(({ eb, or }) =>
      sessionId === null ? eb('subject', 'is not', null) : or([eb('provider_session', 'is', null), eb('provider_session', '=', sessionId)]),
    );
  return hasRows(logouts);
}

/** Makes transactions that start or end sessions of a provider wait for each other. */
export async function holdProvider(transaction: Transaction<Database>, issuer: string): Promise<void> {
  // The row is locked by writing it, because SQLite has no `select … for update`.
  const row = { id: `provider ${issuer}`, expires_at: new Date(Date.now() + lockMs).toISOString() };
  await transaction
    .insertInto('used_tokens')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at: row.expires_at }))
    .execute();
}
