import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Account } from '../accounts/accounts.ts';
import { digestKey, isKey } from '../accounts/key-digest.ts';
import type { KeyLookup } from '../accounts/keys.ts';
import type { StoreMetric } from '../metrics.ts';
import type { Database } from '../tables.ts';
import { batchLookups } from './batch-lookups.ts';

/** Looks keys up in PostgreSQL on every request, many keys in one query. Nothing is cached: a key that was reset is gone at once. */
export function createPostgresKeyLookup(db: Kysely<Database>): { findAccountByKey: KeyLookup; metrics(): StoreMetric[] } {
  let queries = 0;
  let keys = 0;
  const findAccounts = createAccountFinder(db);
  const findByDigest = batchLookups(
    (digests) => {
      queries += 1;
      keys += digests.length;
      return findAccounts(digests);
    },
    { keys: 256, queries: 2 },
  );
  return {
    findAccountByKey: (key) => (isKey(key) ? findByDigest(digestKey(key)) : undefined),
    // The ratio of the two is the average batch size.
    metrics: () => [
      { name: 'promptharbor_lookup_queries_total', help: 'Queries that looked keys up.', type: 'counter', value: queries },
      { name: 'promptharbor_lookup_keys_total', help: 'Keys looked up by those queries.', type: 'counter', value: keys },
    ],
  };
}

/** Finds accounts by the digests of their keys. The text of the query is the same for any number of keys and compiled once. */
export function createAccountFinder(db: Kysely<Database>): (keyDigests: string[]) => Promise<Map<string, Account>> {
  const { sql: text } = db
    .selectFrom('accounts')
    .select(['key_digest as keyDigest', 'id', 'email', 'name', 'revision', 'key_serial as keySerial'])
    .where('key_digest', '=', sql<string>`any(${[]})`)
    .compile();
  return async (keyDigests) => {
    // Rows keep their digest: copying each row only to drop it would cost time, and an account is never sent as a whole.
    const { rows } = await db.executeQuery<Account & { keyDigest: string }>(CompiledQuery.raw(text, [keyDigests]));
    return new Map(rows.map((row) => [row.keyDigest, row]));
  };
}
