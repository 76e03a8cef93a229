import { type Kysely, sql } from 'kysely';
import type { Account } from './accounts.ts';
import type { OpenedDatabase } from './dialect/open.ts';
import { gather } from './gather.ts';
import type { Database } from './tables.ts';

/** The one indexed read of an authenticated request. Never answered from memory of an earlier one. */
export type KeyLookup = (keyDigest: string) => Promise<Account | undefined>;

export function createKeyLookup({ db, lookups }: OpenedDatabase): KeyLookup {
  return lookups ? gather((digests) => findAll(lookups, digests), { keys: 256, queries: 2 }) : (digest) => findOne(db, digest);
}

async function findOne(db: Kysely<Database>, keyDigest: string): Promise<Account | undefined> {
  return db.selectFrom('accounts').select(['id', 'email', 'name', 'revision']).where('key_digest', '=', keyDigest).executeTakeFirst();
}

async function findAll(db: Kysely<Database>, keyDigests: string[]): Promise<Map<string, Account>> {
  const rows = await db
    .selectFrom('accounts')
    .select(['key_digest', 'id', 'email', 'name', 'revision'])
    .where('key_digest', '=', sql<string>`any(${keyDigests})`)
    .execute();
  return new Map(rows.map(({ key_digest, ...account }) => [key_digest, account]));
}
