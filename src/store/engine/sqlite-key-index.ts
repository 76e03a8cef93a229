import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Account, Membership } from '../accounts/accounts.ts';
import { isKey, keyLength } from '../accounts/key-digest.ts';
import type { KeyLookup } from '../accounts/keys.ts';
import type { StoreMetric } from '../metrics.ts';
import { createPackedAccounts } from './packed-accounts.ts';
import { createRecentKeys } from './recent-keys.ts';
import { createMembershipIndex, type MembershipSource } from './sqlite-membership-index.ts';

/** What the index needs from the embedded database. */
export interface IndexSource extends MembershipSource {
  /** Reads an account synchronously, or after an open transaction, whose changes are not committed yet. */
  find(keyDigest: string): Account | undefined | Promise<Account | undefined>;
  /** Accounts inserted before `position`, the last one first. Undefined during a transaction, whose changes are not committed yet. */
  listBefore(position: number, limit: number): IndexRow[] | undefined;
  /** Calls the listener for every account that is updated or deleted, synchronously and before the commit. */
  onAccountChange(listener: (keyDigest: string, id: string) => void): void;
}

export interface IndexRow {
  /** Increases with each insert. */
  position: number;
  keyDigest: string;
  account: Account;
}

export interface KeyIndex {
  findAccountByKey: KeyLookup;
  /** Loads the accounts in the background, the newest first, until all are in memory or the memory is full. */
  preload(): Promise<void>;
  metrics(): StoreMetric[];
  /** Empties the index, so that lookups fail once the database is closed. */
  clear(): void;
}

export interface KeyIndexLimits {
  /** The memory for all accounts but the recent keys. */
  maxBytes?: number | undefined;
  maxRecentKeys?: number | undefined;
  maxMemberships?: number | undefined;
}

/** Room for a million accounts. The setting KEY_INDEX_MIB has the same default. */
const defaultMaxBytes = 128 * 1024 * 1024;
/** About 3 MB. */
const defaultMaxRecentKeys = 4096;
/** About 5 MB. */
const defaultMaxMemberships = 20_000;
/** Half a millisecond of work at a time, so that requests do not wait. */
const rowsPerStep = 100;
const pauseMs = 2;

/**
 * An in-memory index from key to account, for the embedded engine only. It is never stale: no other process can write the file, and a
 * changed account is removed in the same synchronous step, before the commit. Only existing keys are stored: the most active ones by
 * the key itself, all others by its digest, in memory of a fixed size.
 */
export function createKeyIndex(source: IndexSource, limits: KeyIndexLimits = {}): KeyIndex {
  const accounts = createPackedAccounts(limits.maxBytes ?? defaultMaxBytes);
  const recentKeys = createRecentKeys(limits.maxRecentKeys ?? defaultMaxRecentKeys);
  const memberships = createMembershipIndex(source, limits.maxMemberships ?? defaultMaxMemberships);
  let isCleared = false;

  source.onAccountChange((keyDigest, id) => {
    const digest = parseDigest(keyDigest);
    if (digest) accounts.remove(digest);
    recentKeys.remove(keyDigest);
    memberships.removeWorkspace(id);
  });

  function findAccountByKey(key: string, workspaceId?: string): ReturnType<KeyLookup> {
    const account = findOwner(key);
    if (account instanceof Promise) return account.then((found) => found && enter(found, workspaceId));
    return account && enter(account, workspaceId);
  }

  /** The account in the workspace that it asks for. A service account has only its home. */
  function enter(account: Account, workspaceId: string | undefined): ReturnType<KeyLookup> {
    const target = account.homeWorkspaceId ?? workspaceId;
    if (target === undefined || target === account.id) return account;
    const membership = memberships.find(target, account.id);
    if (membership instanceof Promise) return membership.then((found) => withMembership(account, found));
    return withMembership(account, membership);
  }

  function findOwner(key: string): ReturnType<KeyLookup> {
    const recent = recentKeys.find(key);
    if (recent) return recent;
    if (key.length !== keyLength) return undefined;
    const digest = computeDigest(key);
    const known = accounts.find(digest);
    if (known) {
      recentKeys.noteCall(key, digest, known);
      return known;
    }
    if (!isKey(key)) return undefined;
    const found = source.find(digest.toString('base64url'));
    // An asynchronous result is not stored, because the account may change again before it arrives.
    if (found && !(found instanceof Promise)) accounts.set(digest, found);
    return found;
  }

  /** Returns the position to continue from, or undefined at the end. */
  function preloadBefore(position: number): number | undefined {
    const rows = source.listBefore(position, rowsPerStep);
    if (!rows) return position;
    for (const { keyDigest, account } of rows) {
      const digest = parseDigest(keyDigest);
      if (digest && !accounts.addIfRoom(digest, account)) return undefined;
    }
    return rows.at(-1)?.position;
  }

  return {
    findAccountByKey,

    async preload() {
      let position: number | undefined = Number.MAX_SAFE_INTEGER;
      while (position !== undefined && !isCleared) {
        position = preloadBefore(position);
        await setTimeout(pauseMs, undefined, { ref: false });
      }
    },

    metrics: () => [
      { name: 'promptharbor_key_index_keys', help: 'Keys in the in-memory index.', type: 'gauge', value: accounts.count },
      { name: 'promptharbor_membership_index_members', help: 'Members in the in-memory index.', type: 'gauge', value: memberships.count },
      { name: 'promptharbor_key_index_bytes', help: 'Memory of the in-memory index.', type: 'gauge', value: accounts.bytes },
    ],

    clear() {
      isCleared = true;
      accounts.clear();
      recentKeys.clear();
      memberships.clear();
    },
  };
}

/** Without a membership, the account acts in its own workspace; a service account has none, and its key is not valid. */
function withMembership(account: Account, membership: Membership | undefined): Account | undefined {
  if (membership) return { ...account, membership };
  return account.homeWorkspaceId ? undefined : account;
}

const keyDigestBytes = Buffer.alloc(32);
const storedDigestBytes = Buffer.alloc(32);

/** The bytes of a key's digest, valid until the next call. A string, because it leaves less to the garbage collector than a buffer. */
function computeDigest(key: string): Buffer {
  keyDigestBytes.write(hash('sha256', key, 'latin1'), 'latin1');
  return keyDigestBytes;
}

/** The bytes of a digest as the database stores it, valid until the next call. Undefined if it is not one, as no key can have it. */
function parseDigest(keyDigest: string): Buffer | undefined {
  return storedDigestBytes.write(keyDigest, 'base64url') === storedDigestBytes.length ? storedDigestBytes : undefined;
}
