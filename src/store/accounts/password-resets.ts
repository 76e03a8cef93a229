import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import { resetLinkIdentifier, setPassword } from './accounts.ts';

/** Links to set a new password with, known by the digest of their token alone. */
export function createPasswordResetStore(db: Kysely<Database>) {
  return {
    async insert(link: { digest: string; accountId: string; expiresAt: Date }): Promise<void> {
      const now = new Date().toISOString();
      await db
        .insertInto('verifications')
        .values({
          id: link.digest,
          identifier: resetLinkIdentifier(link.accountId),
          value: link.accountId,
          expires_at: link.expiresAt.toISOString(),
          created_at: now,
          updated_at: now,
        })
        .execute();
    },

    /** The account that a link belongs to, while it can still be used. */
    async findAccountId(digest: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('verifications')
        .select(['identifier', 'value'])
        .where('id', '=', digest)
        .where('expires_at', '>', new Date().toISOString())
        .executeTakeFirst();
      return row && row.identifier === resetLinkIdentifier(row.value) ? row.value : undefined;
    },

    /**
     * Uses a link up and sets the password, ends all sessions and forgets the account's other links, together.
     * Of several uses of one link exactly one gets true.
     */
    async use({ digest, accountId, passwordHash }: { digest: string; accountId: string; passwordHash: string }): Promise<boolean> {
      return setPassword(db, { id: accountId, passwordHash }, async (transaction) => {
        const result = await transaction
          .deleteFrom('verifications')
          .where('id', '=', digest)
          .where('identifier', '=', resetLinkIdentifier(accountId))
          .where('expires_at', '>', new Date().toISOString())
          .executeTakeFirstOrThrow();
        return result.numDeletedRows === 1n;
      });
    },

    async deleteExpired(now: Date): Promise<void> {
      await db.deleteFrom('verifications').where('expires_at', '<', now.toISOString()).execute();
    },
  };
}
