import type { Account } from '../accounts/accounts.ts';
import { digestKey, isKey } from '../accounts/key-digest.ts';
import type { KeyLookup } from '../accounts/keys.ts';
import { revisionSql } from '../accounts/revision.ts';

/** What the index needs from the embedded database. */
export interface IndexSource {
  /** Reads a row synchronously, or after an open transaction, whose changes are not committed yet. */
  findOne<Row>(sql: string): (parameter: string) => Row | undefined | Promise<Row | undefined>;
  /** Calls the listener for every account that is updated or deleted, synchronously and before the commit. */
  onAccountChange(listener: (accountId: string) => void): void;
}

export interface KeyIndex {
  findAccountByKey: KeyLookup;
  /** Empties the index, so that lookups fail once the database is closed. */
  clear(): void;
}

const maxKeys = 1_000_000;

/**
 * An in-memory index from key to account, for the embedded engine only. It is never stale: no other process can write the file, and a
 * changed account is removed in the same synchronous step, before the commit. Only existing keys are stored. The index maps the key
 * itself, because computing its digest takes longer than the rest of the lookup.
 */
export function createKeyIndex(source: IndexSource, limit = maxKeys): KeyIndex {
  const accountByKey = new Map<string, Account>();
  const keyByAccountId = new Map<string, string>();
  const find = source.findOne<Account>(
    `select id, email, name, ${revisionSql} as revision, key_serial as keySerial from accounts where key_digest = ?`,
  );
  source.onAccountChange(remove);

  function remove(accountId: string): void {
    const key = keyByAccountId.get(accountId);
    if (key === undefined) return;
    keyByAccountId.delete(accountId);
    accountByKey.delete(key);
  }

  function findAccountByKey(key: string): ReturnType<KeyLookup> {
    const known = accountByKey.get(key);
    if (known) return known;
    const found = isKey(key) ? find(digestKey(key)) : undefined;
    // An asynchronous result is not stored, because the account may change again before it arrives.
    if (!found || found instanceof Promise) return found;
    const oldest = keyByAccountId.size >= limit ? keyByAccountId.keys().next() : undefined;
    if (oldest && !oldest.done) remove(oldest.value);
    keyByAccountId.set(found.id, key);
    accountByKey.set(key, found);
    return found;
  }

  return {
    findAccountByKey,
    clear() {
      accountByKey.clear();
      keyByAccountId.clear();
    },
  };
}
