import type { Account } from '../accounts/accounts.ts';

/** The accounts of the keys that call most, by the key itself: computing its digest takes longer than the rest of a lookup. */
export interface RecentKeys {
  find(key: string): Account | undefined;
  /** Adds the key at the second of two calls that are close together, so that many different callers do not displace each other. */
  noteCall(key: string, digest: Buffer, account: Account): void;
  remove(keyDigest: string): void;
  clear(): void;
}

export function createRecentKeys(limit: number): RecentKeys {
  const accountByKey = new Map<string, Account>();
  const keyByDigest = new Map<string, string>();
  /** How many of the keys begin alike. Most keys that are not here are told by that, which is faster than a search. */
  const beginnings = new Uint16Array(beginningCount);
  /** A part of the digest of the last caller that was not found, by another part of it. A false match only adds a key early. */
  const lastCallers = new Int32Array(callerSlots);

  function remove(keyDigest: string): void {
    const key = keyByDigest.get(keyDigest);
    if (key === undefined) return;
    keyByDigest.delete(keyDigest);
    accountByKey.delete(key);
    countBeginning(key, -1);
  }

  function countBeginning(key: string, change: number): void {
    const beginning = beginningOf(key);
    beginnings[beginning] = (beginnings[beginning] ?? 0) + change;
  }

  return {
    find: (key) => (beginnings[beginningOf(key)] ? accountByKey.get(key) : undefined),

    noteCall(key, digest, account) {
      const slot = digest.readUInt16LE(0) % callerSlots;
      const caller = digest.readInt32LE(2);
      if (lastCallers[slot] !== caller) {
        lastCallers[slot] = caller;
        return;
      }
      const oldest = keyByDigest.size >= limit ? keyByDigest.keys().next() : undefined;
      if (oldest && !oldest.done) remove(oldest.value);
      keyByDigest.set(digest.toString('base64url'), key);
      accountByKey.set(key, account);
      countBeginning(key, 1);
    },

    remove,

    clear() {
      accountByKey.clear();
      keyByDigest.clear();
      beginnings.fill(0);
    },
  };
}

const callerSlots = 4096;
const beginningCount = 2 ** 16;

/** A number from the first of a key's random characters. */
function beginningOf(key: string): number {
  let number = 0;
  for (let index = 3; index < 8; index += 1) number = (number * 31 + key.charCodeAt(index)) % beginningCount;
  return number;
}
