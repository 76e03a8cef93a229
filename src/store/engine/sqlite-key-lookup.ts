import { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { workspaceIdPattern } from '../../contract/limits.ts';
import type { AccountRecord, Membership } from '../accounts/accounts.ts';
import { digestKey, isKey } from '../accounts/key-digest.ts';
import { revisionSql } from '../accounts/revision.ts';
import type { StoreMetric } from '../metrics.ts';
import { translateErrors } from './sqlite-errors.ts';

export type SqliteKeyLookup = ReturnType<typeof createSqliteKeyLookup>;

/** The maximum number of cached keys, which take about 40 MB. */
const maxKeys = 100_000;
/** The maximum number of cached memberships, which take about 5 MB. */
const maxMemberships = 20_000;
const workspaceIdRegExp = new RegExp(workspaceIdPattern);

/**
 * Finds accounts by their keys in the embedded database, with a cache of limited size and a read of one row on a miss. The cache is never
 * stale: no other process writes the file, and an entry is removed in the same synchronous step in which its row changes, before the
 * commit. Rows are read on a separate connection, which sees only committed data. They are not cached while a transaction is open, because
 * the transaction may change them.
 */
export function createSqliteKeyLookup(writer: DatabaseSync, file: string) {
  const reader = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  /** The keys of the cache are the API keys themselves, because computing a digest takes longer than all other steps of a lookup. */
  const accounts = new LRUCache<string, { digest: string; account: AccountRecord }>({
    ...upTo(maxKeys),
    dispose: ({ digest }) => keys.delete(digest),
  });
  /** The keys of the cached accounts by their digests. The database knows only the digests. */
  const keys = new Map<string, string>();
  const roles = new LRUCache<string, Membership['role']>(upTo(maxMemberships));
  // Revisions are cached separately from roles, because they change with every write to a workspace's prompts.
  const revisions = new LRUCache<string, number>(upTo(maxMemberships));
  const accountStatement = reader.prepare(
    `select id, email, name, ${revisionSql} as revision, key_serial as keySerial, email_verified_at as emailVerifiedAt,
      home_workspace_id as homeWorkspaceId
    from accounts where key_digest = ?`,
  );
  const membershipStatement = reader.prepare(
    `select memberships.workspace_id as workspaceId, ${revisionSql} as revision, memberships.role from memberships
    join accounts on accounts.id = memberships.workspace_id
    where memberships.workspace_id = ? and memberships.account_id = ? and accounts.deleted_at is null`,
  );

  onChange(writer, { table: 'accounts', columns: ['key_digest', 'id'] }, (keyDigest, id) => {
    const key = keys.get(keyDigest);
    if (key !== undefined) accounts.delete(key);
    revisions.delete(id);
  });
  onChange(writer, { table: 'memberships', columns: ['workspace_id', 'account_id'] }, (...membership) => {
    roles.delete(membership.join(' '));
  });

  function findAccount(key: string): AccountRecord | undefined {
    const known = accounts.get(key);
    if (known) return known.account;
    if (!isKey(key)) return undefined;
    const digest = digestKey(key);
    // node:sqlite declares rows as records of any values, but the row has the columns of the statement.
    const found = translateErrors(() => accountStatement.get(digest)) as AccountRecord | undefined;
    if (found && !writer.isTransaction) {
      accounts.set(key, { digest, account: found });
      keys.set(digest, key);
    }
    return found;
  }

  function findMembership(workspaceId: string, accountId: string): Membership | undefined {
    const key = `${workspaceId} ${accountId}`;
    const [role, revision] = [roles.get(key), revisions.get(workspaceId)];
    if (role !== undefined && revision !== undefined) return { workspaceId, revision, role };
    if (!workspaceIdRegExp.test(workspaceId)) return undefined;
    // The row has the columns of the statement.
    const found = translateErrors(() => membershipStatement.get(workspaceId, accountId)) as Membership | undefined;
    if (found && !writer.isTransaction) {
      roles.set(key, found.role);
      revisions.set(workspaceId, found.revision);
    }
    return found;
  }

  return {
    findAccountByKey(key: string, workspaceId?: string): AccountRecord | undefined {
      const account = findAccount(key);
      if (!account) return undefined;
      // A service account has no workspace of its own, so it always acts in its home workspace.
      const target = account.homeWorkspaceId ?? workspaceId;
      if (target === undefined || target === account.id) return account;
      const membership = findMembership(target, account.id);
      if (membership) return { ...account, membership };
      return account.homeWorkspaceId ? undefined : account;
    },

    metrics: (): StoreMetric[] => [
      { name: 'promptharbor_cached_keys', help: 'Accounts in the key cache.', type: 'gauge', value: accounts.size },
      { name: 'promptharbor_cached_memberships', help: 'Memberships in the key cache.', type: 'gauge', value: roles.size },
    ],

    /** Closes the connection. Later lookups fail. */
    close(): void {
      for (const cache of [accounts, roles, revisions]) cache.clear();
      if (reader.isOpen) reader.close();
    },
  };
}

/**
 * Returns the options of a cache that grows as it fills. With `max`, the cache would allocate all its memory at once, and each start would
 * take 20 ms longer.
 */
function upTo(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 };
}

/** Calls the listener with two columns of every row that is updated or deleted, synchronously and before the commit. */
function onChange(
  sqlite: DatabaseSync,
  { table, columns: [first, second] }: { table: string; columns: [string, string] },
  listener: (first: string, second: string) => void,
): void {
  sqlite.function(`${table}_changed`, (one, other) => {
    listener(String(one), String(other));
    return null;
  });
  // Temporary triggers belong to this connection and are not part of the schema on disk.
  for (const change of ['update', 'delete']) {
    sqlite.exec(
      `create temp trigger ${table}_${change} after ${change} on main.${table} begin select ${table}_changed(old.${first}, old.${second}); end`,
    );
  }
}
