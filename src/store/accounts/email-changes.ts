import type { Kysely, Transaction } from 'kysely';
import { AppError } from '../../errors.ts';
import { isDuplicate } from '../engine/errors.ts';
import type { Database } from '../tables.ts';
import { type Credential, changeWithCredential } from './credentials.ts';
import { deleteLinks, linkIdentifier } from './delete-account.ts';
import { endEarlierAccess, type FirstProof } from './earlier-access.ts';
import { insertLink } from './mailed-links.ts';
import { insertSession, type NewSessionRecord } from './new-sessions.ts';

interface EmailChangeUse {
  digest: string;
  credential: Credential;
  /** The session that replaces the session in which the link was opened. */
  session: NewSessionRecord;
  /** The key that replaces the account's key if no address of the account was verified before. */
  nextKey: FirstProof['nextKey'];
}

/**
 * Reads and writes changes to email addresses. An account has at most one unconfirmed change. `onChange` is called after the account's
 * workspace was changed.
 */
export function createEmailChangeStore(db: Kysely<Database>, onChange: (accountId: string) => void) {
  return {
    /** Stores a change that is confirmed with a link. The link of an earlier change stops working. */
    async request(credential: Credential, change: { digest: string; email: string; expiresAt: Date }): Promise<void> {
      const { accountId } = credential;
      await changeWithCredential(db, credential, async (transaction) => {
        await deleteLinks(transaction, accountId, ['change-email']);
        await insertLink(transaction, { kind: 'change-email', accountId, ...change });
      });
    },

    /** Finds the new address of an account's unconfirmed change. */
    async findPending(accountId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('verifications')
        .select('email')
        .where('identifier', '=', linkIdentifier('change-email', accountId))
        .where('expires_at', '>', new Date().toISOString())
        .executeTakeFirst();
      return row?.email ?? undefined;
    },

    /** Returns whether there was a change to cancel. */
    cancel: (credential: Credential): Promise<boolean> =>
      changeWithCredential(db, credential, (transaction) => deleteLinks(transaction, credential.accountId, ['change-email'])),

    /**
     * Uses a link: sets the new address, which is then verified, and ends all sessions and all other links of the account. If no address of
     * the account was verified before, using the link also revokes all earlier access. Of several concurrent uses of a link, exactly one
     * returns a result. Throws `email_taken` if another account has taken the address in the meantime.
     */
    async confirm({ digest, credential, session, nextKey }: EmailChangeUse) {
      const { accountId } = credential;
      const work = async (transaction: Transaction<Database>) => {
        const email = await takeEmail(transaction, { digest, accountId });
        if (email === undefined) return undefined;
        const ended = await endEarlierAccess(transaction, { accountId, by: 'mail', nextKey, keptIssuer: session.provider?.issuer });
        const previous = await replaceEmail(transaction, { accountId, email, verifiedAt: new Date().toISOString() });
        await insertSession(transaction, session);
        return { email, previous, ended };
      };
      const changed = await changeWithCredential(db, credential, work, session);
      if (changed?.ended) onChange(accountId);
      return changed;
    },

    /** Sets an address for the operator, without a proof of the address. Returns false if there is no such account. */
    async set(credential: Credential, email: string): Promise<boolean> {
      const change = { accountId: credential.accountId, email, verifiedAt: null };
      return changeWithCredential(db, credential, async (transaction) => (await replaceEmail(transaction, change)) !== undefined);
    },
  };
}

/** Deletes a link and returns the new address in it. */
async function takeEmail(
  transaction: Transaction<Database>,
  { digest, accountId }: { digest: string; accountId: string },
): Promise<string | undefined> {
  const row = await transaction
    .deleteFrom('verifications')
    .where('id', '=', digest)
    .where('identifier', '=', linkIdentifier('change-email', accountId))
    .where('expires_at', '>', new Date().toISOString())
    .returning('email')
    .executeTakeFirst();
  return row?.email ?? undefined;
}

/**
 * Sets the address of an account. Ends its sessions, and invalidates all links that were mailed to the old address. The next use of an
 * invitation link counts as the first proof again. Returns the old address.
 */
async function replaceEmail(
  transaction: Transaction<Database>,
  { accountId, email, verifiedAt }: { accountId: string; email: string; verifiedAt: string | null },
): Promise<string | undefined> {
  const before = await transaction
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!before) return undefined;
  try {
    await transaction
      .updateTable('accounts')
      .set({ email, email_verified_at: verifiedAt, invited_at: null, updated_at: new Date().toISOString() })
      .where('id', '=', accountId)
      .execute();
  } catch (err) {
    throw isDuplicate(err) ? new AppError('email_taken', { cause: err }) : err;
  }
  await transaction.deleteFrom('sessions').where('account_id', '=', accountId).execute();
  await deleteLinks(transaction, accountId);
  return before.email;
}
