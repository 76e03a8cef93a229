import { type Kysely, sql } from 'kysely';
import type { Account } from './accounts.ts';
import type { DirectReads, OpenedDatabase } from './dialect/open.ts';
import type { StoreFigure } from './figures.ts';
import { gather } from './gather.ts';
import type { Database } from './tables.ts';

/** The one indexed read of an authenticated request. Where the answer is at hand it comes at once, without a promise. */
export type KeyLookup = (keyDigest: string) => Account | undefined | Promise<Account | undefined>;

/** The lookup, and how many keys it looked up with how many queries: their ratio is how well gathering works. */
export function createKeyLookup({ db, lookups, direct }: OpenedDatabase): { findByDigest: KeyLookup; figures(): StoreFigure[] } {
  if (direct) return { findByDigest: createKeyIndex(direct), figures: () => [] };
  let queries = 0;
  let keys = 0;
  const findByDigest = gather(
    (digests) => {
      queries += 1;
      keys += digests.length;
      return findAccounts(lookups ?? db, digests);
    },
    { keys: 256, queries: 2 },
  );
  return {
    findByDigest,
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
 */
export function createKeyIndex(direct: DirectReads, limit = maxKnown): KeyLookup {
  const known = new Map<string, Account>();
  const find = direct.findOne<Account>('select id, email, name, revision from accounts where key_digest = ?');
  direct.onAccountChange((keyDigest) => known.delete(keyDigest));

  return (keyDigest) => {
    const account = known.get(keyDigest);
    if (account) return account;
    const found = find(keyDigest);
    // While a transaction is open, the answer comes later, and another change may come before it: it is not kept.
    if (!found || found instanceof Promise) return found;
    if (known.size >= limit) dropOldest(known);
    known.set(keyDigest, found);
    return found;
  };
}

function dropOldest(known: Map<string, Account>): void {
  const oldest = known.keys().next();
  if (!oldest.done) known.delete(oldest.value);
}

/** The accounts that these keys belong to, by digest: one query, whose text is the same for any number of keys. */
export async function findAccounts(db: Kysely<Database>, keyDigests: string[]): Promise<Map<string, Account>> {
  const rows = await db
    .selectFrom('accounts')
    .select(['key_digest', 'id', 'email', 'name', 'revision'])
    .where('key_digest', '=', sql<string>`any(${keyDigests})`)
    .execute();
  return new Map(rows.map(({ key_digest, ...account }) => [key_digest, account]));
}
