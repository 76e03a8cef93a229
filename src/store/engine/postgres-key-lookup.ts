import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Account } from '../accounts/accounts.ts';
import { digestKey, isKey } from '../accounts/key-digest.ts';
import type { KeyLookup } from '../accounts/keys.ts';
import { revisionColumn } from '../accounts/revision.ts';
import type { StoreMetric } from '../metrics.ts';
import type { Database } from '../tables.ts';
import { batchLookups } from './batch-lookups.ts';

/** Looks up keys in PostgreSQL on every request, in batches. Nothing is cached, so a reset takes effect immediately. */
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
      { name: 'promptharbor_lookup_queries_total', help: 'Key lookup queries.', type: 'counter', value: queries },
      { name: 'promptharbor_lookup_keys_total', help: 'Keys looked up by key lookup queries.', type: 'counter', value: keys },
    ],
  };
}

/** Finds accounts by key digest. The SQL is the same for any number of keys, so it is compiled once. */
export function createAccountFinder(db: Kysely<Database>): (keyDigests: string[]) => Promise<Map<string, Account>> {
  const { sql: text } = db
    .selectFrom('accounts')
    .select(['key_digest as keyDigest', 'id', 'email', 'name', revisionColumn, 'key_serial as keySerial'])
    .where('key_digest', '=', sql<string>`any(${[]})`)
    .compile();
  return async (keyDigests) => {
    // The digest is left in the rows: dropping it would cost a copy of each, and an account is never sent as a whole.
    const { rows } = await db.executeQuery<Account & { keyDigest: string }>(CompiledQuery.raw(text, [keyDigests]));
    return new Map(rows.map((row) => [row.keyDigest, row]));
  };
}
