import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Account } from './accounts.ts';
import type { DirectReads, OpenedDatabase } from './dialect/open.ts';
import type { StoreFigure } from './figures.ts';
import { gather } from './gather.ts';
import { digestKey, isKey } from './key-digest.ts';
import type { Database } from './tables.ts';

/** The one indexed read of an authenticated request. Where the answer is at hand it comes at once, without a promise. */
export type KeyLookup = (key: string) => Account | undefined | Promise<Account | undefined>;

export interface KeyLookups {
  findByKey: KeyLookup;
  /** For when the database is closed: from then on nothing is found, and that is an error. */
  close(): void;
  /** How many keys were looked up with how many queries: their ratio is how well gathering works. */
  figures(): StoreFigure[];
}

export function createKeyLookup({ db, lookups, direct }: OpenedDatabase): KeyLookups {
  if (direct) return { ...createKeyIndex(direct), figures: () => [] };
  let queries = 0;
  let keys = 0;
  const findAccounts = createAccountFinder(lookups ?? db);
  const findByDigest = gather(
    (digests) => {
      queries += 1;
      keys += digests.length;
      return findAccounts(digests);
    },
    { keys: 256, queries: 2 },
  );
  return {
    findByKey: (key) => (isKey(key) ? findByDigest(digestKey(key)) : undefined),
    close: () => undefined,
    figures: () => [
      { name: 'promptharbor_lookup_queries_total', help: 'Queries that looked keys up.', type: 'counter', value: queries },
      { name: 'promptharbor_lookup_keys_total', help: 'Keys looked up by those queries.', type: 'counter', value: keys },
    ],
  };
}

const maxKnown = 1_000_000;

/**
 * The index from key to account, kept in memory on the embedded engine alone. It is no cache with a window: the file is held
 * exclusively, and a row that changes leaves the index in the same step, before the change is committed. Only what was found is kept.
 * It is by the key itself, because a digest takes longer than all the rest; the process sees its callers' keys in any case.
 */
export function createKeyIndex(direct: DirectReads, limit = maxKnown): Pick<KeyLookups, 'findByKey' | 'close'> {
  const accounts = new Map<string, Account>();
  const keys = new Map<string, string>();
  const find = direct.findOne<Account>('select id, email, name, revision, key_serial as keySerial from accounts where key_digest = ?');
  direct.onAccountChange(forget);

  function forget(accountId: string): void {
    const key = keys.get(accountId);
    if (key === undefined) return;
    keys.delete(accountId);
    accounts.delete(key);
  }

  function findByKey(key: string): ReturnType<KeyLookup> {
    const account = accounts.get(key);
    if (account) return account;
    const found = isKey(key) ? find(digestKey(key)) : undefined;
    // While a transaction is open, the answer comes later, and another change may come before it: it is not kept.
    if (!found || found instanceof Promise) return found;
    const oldest = keys.size >= limit ? keys.keys().next() : undefined;
    if (oldest && !oldest.done) forget(oldest.value);
    keys.set(found.id, key);
    accounts.set(key, found);
    return found;
  }

  return {
    findByKey,
    close() {
      accounts.clear();
      keys.clear();
    },
  };
}

/** Finds the accounts that keys belong to, by digest: one query, whose text is the same for any number of keys and put together once. */
export function createAccountFinder(db: Kysely<Database>): (keyDigests: string[]) => Promise<Map<string, Account>> {
  const { sql: text } = db
    .selectFrom('accounts')
    .select(['key_digest as keyDigest', 'id', 'email', 'name', 'revision', 'key_serial as keySerial'])
    .where('key_digest', '=', sql<string>`any(${[]})`)
    .compile();
  return async (keyDigests) => {
    // The rows are not copied for the sake of leaving the digest out: an account is never sent as a whole.
    const { rows } = await db.executeQuery<Account & { keyDigest: string }>(CompiledQuery.raw(text, [keyDigests]));
    return new Map(rows.map((row) => [row.keyDigest, row]));
  };
}
