import type { Kysely, Selection, Transaction } from 'kysely';
import { AppError } from '../../errors.ts';
import { isDuplicate } from '../engine/errors.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import { type Credential, changeWithCredential, holdAccount } from './credentials.ts';
import { endOtherSessions, insertSession, type NewSessionRecord } from './new-sessions.ts';
import { deleteRecoveryCodes, hasAuthenticator, hasPasskeys, replaceCodes } from './second-factors.ts';
import { type AllowedMethods, assertSignInMethod } from './sign-in-methods.ts';
import { type UsedToken, useToken } from './used-tokens.ts';

export interface NewPasskey {
  id: string;
  credentialId: string;
  host: string;
  name: string;
  publicKey: string;
  transports: string;
  counter: number;
}

/** A verified signature that was made with a passkey. */
export interface PasskeyUse {
  id: string;
  accountId: string;
  counter: number;
  challenge: UsedToken;
}

const columns = ['id', 'name', 'host', 'created_at as createdAt', 'last_used_at as lastUsedAt'] as const;

export type PasskeyRecord = Selection<Database, 'passkeys', (typeof columns)[number]>;

export function createPasskeyStore(db: Kysely<Database>) {
  return {
    /** Lists the passkeys of an account, oldest first. */
    async list(accountId: string): Promise<PasskeyRecord[]> {
      return db.selectFrom('passkeys').select(columns).where('account_id', '=', accountId).orderBy('id').execute();
    },

    /** Lists the data that a browser needs to recognize the account's passkeys for a host. */
    async listCredentials(accountId: string, host: string) {
      return db
        .selectFrom('passkeys')
        .select(['credential_id as credentialId', 'transports'])
        .where('account_id', '=', accountId)
        .where('host', '=', host)
        .orderBy('id')
        .execute();
    },

    /** Finds a passkey and the email address of its account, with which a signature is verified. */
    async findForSignIn(credentialId: string) {
      const row = await db
        .selectFrom('passkeys')
        .innerJoin('accounts', 'accounts.id', 'passkeys.account_id')
        .select(['passkeys.id', 'passkeys.account_id as accountId', 'public_key as publicKey', 'counter', 'accounts.email'])
        .where('credential_id', '=', credentialId)
        .where('accounts.deleted_at', 'is', null)
        .executeTakeFirst();
      // The PostgreSQL driver returns large integers as text.
      return row && { ...row, counter: Number(row.counter) };
    },

    /**
     * Adds a passkey. If it is the account's only second factor, also stores the recovery codes and ends the other sessions. Throws
     * `passkey_exists` if the device is already registered, and `too_many_passkeys` if the account has `max` passkeys. Returns undefined if
     * the challenge was already used.
     */
    async add(credential: Credential, passkey: NewPasskey, { max, codeDigests, challenge }: PasskeyAddition) {
      const { accountId } = credential;
      return changeWithCredential(db, credential, async (transaction) => {
        if (!(await useToken(transaction, challenge))) return undefined;
        const { length } = await transaction.selectFrom('passkeys').select('id').where('account_id', '=', accountId).execute();
        if (length >= max) throw new AppError('too_many_passkeys');
        const { credentialId, publicKey, ...rest } = passkey;
        const createdAt = new Date().toISOString();
        const row = { ...rest, account_id: accountId, credential_id: credentialId, public_key: publicKey };
        try {
          await transaction
            .insertInto('passkeys')
            .values({ ...row, created_at: createdAt, last_used_at: null })
            .execute();
        } catch (err) {
          throw isDuplicate(err) ? new AppError('passkey_exists', { cause: err }) : err;
        }
        const isOnlyFactor = length === 0 && !(await hasAuthenticator(transaction, accountId));
        let hasEnded = false;
        if (isOnlyFactor) {
          hasEnded = await endOtherSessions(transaction, credential);
          await replaceCodes(transaction, accountId, codeDigests);
          // Deletes an unconfirmed secret of an authenticator. Only the password was needed to get the secret, so it must not become a
          // second factor beside the passkey.
          await transaction.deleteFrom('two_factors').where('account_id', '=', accountId).execute();
        }
        return { isOnlyFactor, hasEnded, createdAt };
      });
    },

    /** Returns undefined if the account has no such passkey. */
    async rename(credential: Credential, { id, name }: { id: string; name: string }): Promise<PasskeyRecord | undefined> {
      return changeWithCredential(db, credential, (transaction) =>
        transaction
          .updateTable('passkeys')
          .set({ name })
          .where('id', '=', id)
          .where('account_id', '=', credential.accountId)
          .returning(columns)
          .executeTakeFirst(),
      );
    },

    /**
     * Removes a passkey, ends the other sessions, and returns its name. If the account has no other second factor, also deletes the
     * recovery codes. Returns undefined if the account has no such passkey. Throws if the account would have no other way to sign in.
     */
    async remove(credential: Credential, { id, allowed }: { id: string; allowed: AllowedMethods }) {
      const { accountId } = credential;
      return changeWithCredential(db, credential, async (transaction) => {
        const removed = await transaction
          .deleteFrom('passkeys')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .returning('name')
          .executeTakeFirst();
        if (!removed) return undefined;
        await assertSignInMethod(transaction, accountId, allowed);
        if (!(await hasAuthenticator(transaction, accountId)) && !(await hasPasskeys(transaction, accountId))) {
          await deleteRecoveryCodes(transaction, accountId);
        }
        return { name: removed.name, hasEnded: await endOtherSessions(transaction, credential) };
      });
    },

    /** Removes all passkeys of an account for the operator, and ends its sessions. Returns the names of the passkeys. */
    async removeAll(accountId: string): Promise<string[]> {
      const credential = { accountId, via: 'system' } as const;
      return changeWithCredential(db, credential, async (transaction) => {
        const removed = await transaction.deleteFrom('passkeys').where('account_id', '=', accountId).returning('name').execute();
        if (!(await hasAuthenticator(transaction, accountId))) await deleteRecoveryCodes(transaction, accountId);
        if (removed.length > 0) await endOtherSessions(transaction, credential);
        return removed.map(({ name }) => name);
      });
    },

    /**
     * Starts a session with a verified signature. Returns false and changes nothing if the passkey was removed in the meantime, if its
     * counter went back, or if the challenge was already used.
     */
    async signIn(use: PasskeyUse, session: NewSessionRecord): Promise<boolean> {
      return runTransaction(db, async (transaction) => {
        if (!(await holdAccount(transaction, use.accountId)) || !(await usePasskey(transaction, use))) return false;
        await insertSession(transaction, session);
        return true;
      });
    },

    /**
     * Records that a person proved their identity again in a session, with a verified signature. Returns false in the same cases as
     * `signIn`.
     */
    async confirm(credential: Credential & { via: 'session' }, use: PasskeyUse): Promise<boolean> {
      return changeWithCredential(db, credential, async (transaction) => {
        if (!(await usePasskey(transaction, use))) return false;
        await transaction
          .updateTable('sessions')
          .set({ proved_at: new Date().toISOString() })
          .where('id', '=', credential.sessionId)
          .execute();
        return true;
      });
    },
  };
}

interface PasskeyAddition {
  max: number;
  /** The digests of the recovery codes, which are stored if the account has none yet. */
  codeDigests: string[];
  challenge: UsedToken;
}

/**
 * Records a signature. A counter that does not increase is a sign of a copied key, unless the device has never counted. Of several
 * concurrent uses of a challenge, exactly one returns true.
 */
async function usePasskey(transaction: Transaction<Database>, { id, accountId, counter, challenge }: PasskeyUse): Promise<boolean> {
  if (!(await useToken(transaction, challenge))) return false;
  const result = await transaction
    .updateTable('passkeys')
    .set({ counter, last_used_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('counter', '=', 0), eb('counter', '<', counter)]))
    .executeTakeFirstOrThrow();
  return result.numUpdatedRows === 1n;
}
