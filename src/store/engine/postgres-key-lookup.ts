import { CompiledQuery, type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { workspaceIdPattern } from '../../contract/limits.ts';
import type { Role } from '../../contract/roles.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import { digestKey, isKey } from '../accounts/key-digest.ts';
import type { KeyLookup } from '../accounts/keys.ts';
import { revisionColumn, revisionSql, revisionSqlOf } from '../accounts/revision.ts';
import type { StoreMetric } from '../metrics.ts';
import type { Database } from '../tables.ts';
import { batchLookups } from './batch-lookups.ts';

/** Looks up keys in PostgreSQL on every request, in batches. Nothing is cached, so a reset or a removal takes effect immediately. */
export function createPostgresKeyLookup(db: Kysely<Database>): { findAccountByKey: KeyLookup; metrics(): StoreMetric[] } {
  let queries = 0;
  let keys = 0;
  const findAccounts = createAccountFinder(db);
  const find = batchLookups(
    (lookups) => {
      queries += 1;
      keys += lookups.length;
      return findAccounts(lookups);
    },
    { keys: 256, queries: 2 },
  );
  return {
    findAccountByKey: (key, workspaceId) => (isKey(key) ? find(lookupOf(digestKey(key), workspaceId)) : undefined),
    // The number of lookups divided by the number of queries is the average batch size.
    metrics: () => [
      { name: 'promptharbor_lookup_queries_total', help: 'Key lookup queries.', type: 'counter', value: queries },
      { name: 'promptharbor_lookup_keys_total', help: 'Keys looked up by key lookup queries.', type: 'counter', value: keys },
    ],
  };
}

type AccountFinder = (lookups: string[]) => Promise<Map<string, AccountRecord>>;

/**
 * Finds accounts by lookups: the digest of a key, or a digest and a workspace. A lookup without a workspace reads only one row of
 * `accounts`. A lookup with a workspace also reads the membership and the workspace's row in the same query. Service accounts always need
 * the second kind of query. Their digests are remembered, but only to choose the query.
 */
export function createAccountFinder(db: Kysely<Database>): AccountFinder {
  const findOwners = createOwnerFinder(db);
  const findMembers = createMemberFinder(db);
  const serviceKeys = new LRUCache<string, true>({ max: maxServiceKeys });

  return async (lookups) => {
    if (lookups.some((lookup) => lookup.length > digestLength || serviceKeys.has(lookup))) return findMembers(lookups);
    const owners = await findOwners(lookups);
    const serviceLookups = lookups.filter((lookup) => owners.get(lookup)?.homeWorkspaceId);
    if (serviceLookups.length === 0) return owners;
    for (const lookup of serviceLookups) {
      serviceKeys.set(lookup, true);
      owners.delete(lookup);
    }
    return new Map([...owners, ...(await findMembers(serviceLookups))]);
  };
}

/** The SQL is the same for any number of keys, so it is compiled once. */
function createOwnerFinder(db: Kysely<Database>): AccountFinder {
  const { sql: text } = db
    .selectFrom('accounts')
    .select(['key_digest as keyDigest', 'id', 'email', 'name', revisionColumn, 'key_serial as keySerial'])
    .select(['email_verified_at as emailVerifiedAt', 'home_workspace_id as homeWorkspaceId'])
    .where('key_digest', '=', sql<string>`any(${[]})`)
    .compile();
  return async (keyDigests) => {
    // The digest stays in the rows, because removing it would mean copying each row. This is safe, because responses never contain a whole
    // account.
    const { rows } = await db.executeQuery<AccountRecord & { keyDigest: string }>(CompiledQuery.raw(text, [keyDigests]));
    return new Map(rows.map((row) => [row.keyDigest, row]));
  };
}

interface MemberRow extends AccountRecord {
  lookup: string;
  workspaceId: string | null;
  workspaceRevision: number;
  role: Role;
}

/**
 * Finds accounts, each with its membership in the requested workspace if there is one. A service account is always looked up in its home
 * workspace, even if it requests another workspace.
 */
function createMemberFinder(db: Kysely<Database>): AccountFinder {
  // The join is lateral, so that only the rows of these accounts are read, even before the first `analyze`.
  const text = `select asked.lookup, accounts.id, accounts.email, accounts.name, ${revisionSql} as revision,
      accounts.key_serial as "keySerial", accounts.email_verified_at as "emailVerifiedAt", accounts.home_workspace_id as "homeWorkspaceId",
      found.workspace_id as "workspaceId", found.revision as "workspaceRevision", found.role
    from unnest($1::text[], $2::text[], $3::text[]) as asked (lookup, key_digest, workspace_id)
    join accounts on accounts.key_digest = asked.key_digest
    left join lateral (
      select memberships.workspace_id, memberships.role, ${revisionSqlOf('workspaces')} as revision
      from memberships join accounts as workspaces on workspaces.id = memberships.workspace_id
      where memberships.workspace_id = coalesce(accounts.home_workspace_id, asked.workspace_id)
        and memberships.account_id = accounts.id and workspaces.deleted_at is null
      limit 1
    ) as found on true`;
  return async (lookups) => {
    const digests = lookups.map((lookup) => lookup.slice(0, digestLength));
    const workspaceIds = lookups.map((lookup) => (lookup.length > digestLength ? lookup.slice(digestLength + 1) : null));
    const { rows } = await db.executeQuery<MemberRow>(CompiledQuery.raw(text, [lookups, digests, workspaceIds]));
    const accounts = new Map<string, AccountRecord>();
    for (const { workspaceId, workspaceRevision: revision, role, lookup, ...account } of rows) {
      if (workspaceId !== null) accounts.set(lookup, { ...account, membership: { workspaceId, revision, role } });
      // A service account without a home workspace in the result has no access at all.
      else if (account.homeWorkspaceId === null) accounts.set(lookup, account);
    }
    return accounts;
  };
}

/** The length of a SHA-256 digest in base64url. */
const digestLength = 43;
const maxServiceKeys = 10_000;
const workspaceId = new RegExp(workspaceIdPattern);

/** Returns the text of a lookup. A workspace that is not a valid id is not looked up, because nobody is a member of it. */
function lookupOf(keyDigest: string, id: string | undefined): string {
  return id !== undefined && workspaceId.test(id) ? `${keyDigest} ${id}` : keyDigest;
}
