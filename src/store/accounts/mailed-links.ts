import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import { setPassword } from './accounts.ts';
import { type Credential, changeWithCredential } from './credentials.ts';
import { type LinkKind, linkIdentifier } from './delete-account.ts';
import { endEarlierAccess, type FirstProof } from './earlier-access.ts';
import { insertSession, type NewSessionRecord } from './new-sessions.ts';

interface LinkUse {
  digest: string;
  /** The key that replaces the account's key if this is the first proof of its address. */
  nextKey: FirstProof['nextKey'];
}

interface NewLink {
  kind: LinkKind;
  digest: string;
  accountId: string;
  /** The new address, if this is a link that changes the account's address. */
  email?: string;
  expiresAt: Date;
}

/**
 * Reads and writes the links that are emailed to an account: for a new password, and to verify the address. Only the digest of a token is
 * stored. `onChange` is called after an account's workspace was changed.
 */
export function createMailedLinkStore(db: Kysely<Database>, onChange: (accountId: string) => void) {
  return {
    insert: (link: NewLink): Promise<void> => insertLink(db, link),

    /** Finds the account of a link, if the link is still valid. */
    async findAccountId(kind: LinkKind, digest: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('verifications')
        .select(['identifier', 'value'])
        .where('id', '=', digest)
        .where('expires_at', '>', new Date().toISOString())
        .executeTakeFirst();
      return row && row.identifier === linkIdentifier(kind, row.value) ? row.value : undefined;
    },

    /**
     * Deletes the link, sets the password and ends all sessions and other reset links of the account in one transaction. The first proof
     * of the address revokes all earlier access. Of several concurrent uses of a link, exactly one returns a result.
     */
    async resetPassword(use: LinkUse & { accountId: string; passwordHash: string }) {
      const { digest, accountId, passwordHash, nextKey } = use;
      const used = await runTransaction(db, async (transaction) => {
        if (!(await deleteLink(transaction, { kind: 'reset-password', digest, accountId }))) return undefined;
        if (!(await setPassword(transaction, { id: accountId, passwordHash }))) return undefined;
        return { ended: await endEarlierAccess(transaction, { accountId, by: 'mail', nextKey }) };
      });
      if (used?.ended) onChange(accountId);
      return used;
    },

    /**
     * Deletes the link. If this is the first proof of the address, also revokes all earlier access except for the password, and starts
     * `session` in place of the session that used the link. Of several concurrent uses of a link, exactly one returns a result.
     */
    async verifyEmail(use: LinkUse & { credential: Credential; session: NewSessionRecord }) {
      const { digest, credential, session, nextKey } = use;
      const { accountId } = credential;
      const work = async (transaction: Transaction<Database>) => {
        if (!(await deleteLink(transaction, { kind: 'verify-email', digest, accountId }))) return undefined;
        const ended = await endEarlierAccess(transaction, { accountId, by: 'mail', nextKey, keptIssuer: session.provider?.issuer });
        if (ended) await insertSession(transaction, session);
        return { ended };
      };
      const used = await changeWithCredential(db, credential, work, session);
      if (used?.ended) onChange(accountId);
      return used;
    },
  };
}

export async function insertLink(db: Kysely<Database>, { kind, digest, accountId, email, expiresAt }: NewLink): Promise<void> {
  const now = new Date().toISOString();
  await db
    .insertInto('verifications')
    .values({
      id: digest,
      identifier: linkIdentifier(kind, accountId),
      value: accountId,
      email: email ?? null,
      expires_at: expiresAt.toISOString(),
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** Deletes a link. Of several concurrent deletions, exactly one returns true. */
async function deleteLink(
  transaction: Transaction<Database>,
  { kind, digest, accountId }: { kind: LinkKind; digest: string; accountId: string },
): Promise<boolean> {
  const result = await transaction
    .deleteFrom('verifications')
    .where('id', '=', digest)
    .where('identifier', '=', linkIdentifier(kind, accountId))
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirstOrThrow();
  return result.numDeletedRows === 1n;
}
