import type { Account } from '../accounts/accounts.ts';
import { digestKey, isKey } from '../accounts/key-digest.ts';
import type { KeyLookup } from '../accounts/keys.ts';

/** What the index needs from the embedded database, which this process alone reads and writes. */
export interface IndexSource {
  /** Reads one row synchronously, unless a transaction is open: then after it, because its changes are not committed yet. */
  findOne<Row>(sql: string): (parameter: string) => Row | undefined | Promise<Row | undefined>;
  /** Calls back with every account whose row is updated or deleted, synchronously and before the commit. */
  onAccountChange(listener: (accountId: string) => void): void;
}

export interface KeyIndex {
  findAccountByKey: KeyLookup;
  /** Empties the index, so that lookups after the database was closed fail instead of being served from memory. */
  clear(): void;
}

const maxKeys = 1_000_000;

/**
 * An index from key to account in memory, for the embedded engine alone. It is not a cache with a stale window: the file is locked
 * exclusively, and a changed row leaves the index in the same synchronous step, before the commit. Only keys that were found are kept.
 * It maps the key itself, because computing a digest takes longer than everything else; the process sees its callers' keys anyway.
 */
export function createKeyIndex(source: IndexSource, limit = maxKeys): KeyIndex {
  const accountByKey = new Map<string, Account>();
  const keyByAccountId = new Map<string, string>();
  const find = source.findOne<Account>('select id, email, name, revision, key_serial as keySerial from accounts where key_digest = ?');
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
    // A result that comes after an open transaction is not kept: another change may come before it arrives.
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
