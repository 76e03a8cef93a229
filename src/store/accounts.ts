import type { Kysely, Selectable } from 'kysely';
import type { KeyLookup } from './key-lookup.ts';
import type { AccountTable, Database } from './tables.ts';
import { runTransaction } from './transaction.ts';

/** What the key lookup of every request returns. */
export interface Account {
  id: string;
  email: string;
  name: string;
  revision: number;
}

export interface AccountCredentials extends Account {
  passwordHash: string;
  keyDigest: string;
  keyCipher: string;
}

export interface NewAccount {
  id: string;
  email: string;
  name: string;
  passwordHash: string;
  keyDigest: string;
  keyCipher: string;
}

export interface AccountSummary {
  id: string;
  email: string;
  name: string;
  createdAt: string;
  keyCreatedAt: string;
}

export type AccountStore = ReturnType<typeof createAccountStore>;

export function createAccountStore(db: Kysely<Database>, findByKeyDigest: KeyLookup) {
  const findCredentials = async (column: 'id' | 'email', value: string): Promise<AccountCredentials | undefined> => {
    const row = await db.selectFrom('accounts').selectAll().where(column, '=', value).executeTakeFirst();
    return row && toCredentials(row);
  };

  return {
    findByKeyDigest,
    findByEmail: (email: string) => findCredentials('email', email),
    findById: (id: string) => findCredentials('id', id),

    /** Account, password and key are born in one INSERT. False when the e-mail is taken. */
    async insert(account: NewAccount): Promise<boolean> {
      const now = new Date().toISOString();
      const result = await db
        .insertInto('accounts')
        .values({
          id: account.id,
          email: account.email,
          name: account.name,
          password_hash: account.passwordHash,
          key_digest: account.keyDigest,
          key_cipher: account.keyCipher,
          key_created_at: now,
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .executeTakeFirstOrThrow();
      return result.numInsertedOrUpdatedRows === 1n;
    },

    /** Replaces the key only where the presented one is still current: of two resets at once, one wins. */
    async replaceKey(id: string, presentedDigest: string, next: { keyDigest: string; keyCipher: string }): Promise<boolean> {
      const now = new Date().toISOString();
      const result = await db
        .updateTable('accounts')
        .set({ key_digest: next.keyDigest, key_cipher: next.keyCipher, key_created_at: now, updated_at: now })
        .where('id', '=', id)
        .where('key_digest', '=', presentedDigest)
        .executeTakeFirstOrThrow();
      return result.numUpdatedRows === 1n;
    },

    /** Sets a new password and ends the account's sessions together. False when there is no such account. */
    async replacePassword(id: string, passwordHash: string): Promise<boolean> {
      return runTransaction(db, async (transaction) => {
        const result = await transaction
          .updateTable('accounts')
          .set({ password_hash: passwordHash, updated_at: new Date().toISOString() })
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        await transaction.deleteFrom('sessions').where('account_id', '=', id).execute();
        return result.numUpdatedRows === 1n;
      });
    },

    /** Stores the same key sealed anew, unless the key was reset in the meantime. */
    async replaceKeyCipher(id: string, keyDigest: string, keyCipher: string): Promise<boolean> {
      const result = await db
        .updateTable('accounts')
        .set({ key_cipher: keyCipher })
        .where('id', '=', id)
        .where('key_digest', '=', keyDigest)
        .executeTakeFirstOrThrow();
      return result.numUpdatedRows === 1n;
    },

    /** A page of accounts in the order of their ids. */
    async list(afterId: string, limit: number): Promise<AccountSummary[]> {
      return db
        .selectFrom('accounts')
        .select(['id', 'email', 'name', 'created_at as createdAt', 'key_created_at as keyCreatedAt'])
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute();
    },

    async listKeyCiphers(afterId: string, limit: number): Promise<{ id: string; keyDigest: string; keyCipher: string }[]> {
      return db
        .selectFrom('accounts')
        .select(['id', 'key_digest as keyDigest', 'key_cipher as keyCipher'])
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute();
    },

    async count(): Promise<number> {
      const row = await db
        .selectFrom('accounts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
  };
}

function toCredentials(row: Selectable<AccountTable>): AccountCredentials {
  const { id, email, name, revision } = row;
  return { id, email, name, revision, passwordHash: row.password_hash, keyDigest: row.key_digest, keyCipher: row.key_cipher };
}
