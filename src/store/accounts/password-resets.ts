import { type Kysely, sql } from 'kysely';
import { deleteBatch } from '../delete-batch.ts';
import type { Database } from '../tables.ts';
import { setPassword } from './accounts.ts';
import { resetLinkIdentifier } from './delete-account.ts';

/** Password reset links. Only the digest of a link's token is stored. */
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

    /** The account of a link that is still valid. */
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
     * Deletes the link, sets the password and ends all sessions and other links of the account in one transaction.
     * Of several concurrent uses of a link, exactly one returns true.
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

    /** Deletes a batch and returns its size. */
    async deleteExpired(now: Date): Promise<number> {
      return deleteBatch(db, { table: 'verifications', key: ['id'], where: sql`expires_at < ${now.toISOString()}` });
    },
  };
}
