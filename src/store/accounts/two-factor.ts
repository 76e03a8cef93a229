import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import { type Credential, changeWithCredential, forExistingAccount } from './credentials.ts';
import { endOtherSessions } from './new-sessions.ts';
import { deleteRecoveryCodes, hasPasskeys, replaceCodes } from './second-factors.ts';

export function createTwoFactorStore(db: Kysely<Database>) {
  return {
    /** Finds an account's authenticator. The authenticator takes effect once the owner has confirmed it with a code. */
    async find(accountId: string) {
      return db
        .selectFrom('two_factors')
        .select(['secret_cipher as secretCipher', 'confirmed_at as confirmedAt'])
        .where('account_id', '=', accountId)
        .executeTakeFirst();
    },

    /**
     * Stores an unconfirmed secret, replacing an earlier unconfirmed secret. Returns false if two-factor authentication is already enabled.
     */
    async offer(credential: Credential, secretCipher: string): Promise<boolean> {
      return changeWithCredential(db, credential, async (transaction) => {
        const insert = transaction
          .insertInto('two_factors')
          .values({
            account_id: credential.accountId,
            secret_cipher: secretCipher,
            confirmed_at: null,
            last_step: 0,
            codes_created_at: null,
          })
          .onConflict((conflict) =>
            conflict.column('account_id').doUpdateSet({ secret_cipher: secretCipher }).where('two_factors.confirmed_at', 'is', null),
          );
        const result = await forExistingAccount(() => insert.executeTakeFirstOrThrow());
        return result.numInsertedOrUpdatedRows === 1n;
      });
    },

    /**
     * Enables two-factor authentication, stores the first recovery codes, and ends the other sessions. Returns undefined if the given
     * secret is no longer the unconfirmed one.
     */
    async confirm(credential: Credential, confirmation: { secretCipher: string; step: number; codeDigests: string[] }) {
      const { accountId } = credential;
      const now = new Date().toISOString();
      return changeWithCredential(db, credential, async (transaction) => {
        const result = await transaction
          .updateTable('two_factors')
          .set({ confirmed_at: now, last_step: confirmation.step, codes_created_at: now })
          .where('account_id', '=', accountId)
          .where('secret_cipher', '=', confirmation.secretCipher)
          .where('confirmed_at', 'is', null)
          .executeTakeFirstOrThrow();
        if (result.numUpdatedRows !== 1n) return undefined;
        await replaceCodes(transaction, accountId, confirmation.codeDigests);
        return { hasEnded: await endOtherSessions(transaction, credential) };
      });
    },

    /** Marks a time step as used. Of several concurrent uses, exactly one returns true. Steps before a used step are refused. */
    async useStep(accountId: string, use: { confirmedAt: string; step: number }): Promise<boolean> {
      const result = await db
        .updateTable('two_factors')
        .set({ last_step: use.step })
        .where('account_id', '=', accountId)
        .where('confirmed_at', '=', use.confirmedAt)
        .where('last_step', '<', use.step)
        .executeTakeFirstOrThrow();
      return result.numUpdatedRows === 1n;
    },

    /** Deletes a recovery code. Of several concurrent uses, exactly one returns true. */
    async useRecoveryCode(accountId: string, codeDigest: string): Promise<boolean> {
      const result = await db
        .deleteFrom('recovery_codes')
        .where('account_id', '=', accountId)
        .where('code_digest', '=', codeDigest)
        .executeTakeFirstOrThrow();
      return result.numDeletedRows === 1n;
    },

    /** Replaces all recovery codes. Returns false if the account has neither an authenticator nor a passkey. */
    async replaceRecoveryCodes(credential: Credential, codeDigests: string[]): Promise<boolean> {
      const { accountId } = credential;
      // The account's row is locked, so that two concurrent replacements do not leave two sets of codes.
      return changeWithCredential(db, credential, async (transaction) => {
        const result = await transaction
          .updateTable('two_factors')
          .set({ codes_created_at: new Date().toISOString() })
          .where('account_id', '=', accountId)
          .where('confirmed_at', 'is not', null)
          .executeTakeFirstOrThrow();
        if (result.numUpdatedRows !== 1n && !(await hasPasskeys(transaction, accountId))) return false;
        await replaceCodes(transaction, accountId, codeDigests);
        return true;
      });
    },

    /**
     * Disables two-factor authentication and ends the other sessions. Also deletes the recovery codes, unless they also replace a passkey.
     * Returns undefined if two-factor authentication was already disabled.
     */
    async remove(credential: Credential) {
      const { accountId } = credential;
      return changeWithCredential(db, credential, async (transaction) => {
        const result = await transaction
          .deleteFrom('two_factors')
          .where('account_id', '=', accountId)
          .where('confirmed_at', 'is not', null)
          .executeTakeFirstOrThrow();
        if (result.numDeletedRows !== 1n) return undefined;
        if (!(await hasPasskeys(transaction, accountId))) await deleteRecoveryCodes(transaction, accountId);
        return { hasEnded: await endOtherSessions(transaction, credential) };
      });
    },
  };
}
