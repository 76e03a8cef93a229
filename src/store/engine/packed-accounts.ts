import { randomInt } from 'node:crypto';
import type { Account } from '../accounts/accounts.ts';
import {
  digestAt,
  digestWords,
  isLive,
  type PackedMemory,
  readRecord,
  setCalled,
  sizeAt,
  sizeOfRecord,
  wasCalled,
  writeGap,
  writeRecord,
} from './account-record.ts';

/** Accounts by the digest of their key, 32 bytes. */
export interface PackedAccounts {
  find(digest: Uint8Array): Account | undefined;
  /** Adds or replaces an account. If the memory is full, it takes the place of those that have not been called for longest. */
  set(digest: Uint8Array, account: Account): void;
  /** Adds an account unless it is there already. Returns false if the memory is full. */
  addIfRoom(digest: Uint8Array, account: Account): boolean;
  remove(digest: Uint8Array): void;
  clear(): void;
  readonly count: number;
  /** The memory in use: the records and the table that finds them. */
  readonly bytes: number;
}

/**
 * Keeps accounts in memory of a fixed size, outside of the garbage collector's heap: objects would take four times as much, and the
 * garbage collector would have to walk them.
 *
 * The records form a ring. New ones are written at the head. When the head reaches the oldest record, that one is evicted, unless its
 * account was called since it was written: then it moves to the head (the CLOCK algorithm, an approximation of least recently used
 * that needs one bit). Accounts that call only once therefore do not displace those that call again. A hash table with linear
 * probing has the position of each record. The digest as a whole decides whether a record is the one.
 */
export function createPackedAccounts(maxBytes: number): PackedAccounts {
  const slotBits = Math.max(1, Math.floor(Math.log2(maxBytes / bytesPerSlot)));
  const slotMask = 2 ** slotBits - 1;
  /** The position of a record plus 1, or 0 for a free slot. */
  const slots = new Uint32Array(slotMask + 1);
  const maxCount = Math.floor(slots.length * maxSlotUse);
  const capacity = Math.floor((maxBytes - slots.byteLength) / 4);
  const maxSize = Math.min(capacity, maxRecordWords);
  // The operating system provides the memory of both when it is first written to.
  const buffer = new ArrayBuffer(capacity * 4);
  const memory: PackedMemory = { words: new Uint32Array(buffer), bytes: Buffer.from(buffer) };
  const { words } = memory;
  const sought = new Uint32Array(digestWords);
  const soughtBytes = new Uint8Array(sought.buffer);
  // Random, so that nobody can collect keys whose digests share a slot.
  const [factor, otherFactor] = [randomInt(2 ** 32) | 1, randomInt(2 ** 32) | 1];

  let head = 0;
  let tail = 0;
  /** From the tail to the head, with gaps. */
  let usedWords = 0;
  let liveWords = 0;
  let count = 0;

  function homeSlot(digest: Uint32Array, at: number): number {
    return (Math.imul(digest[at] ?? 0, factor) + Math.imul(digest[at + 1] ?? 0, otherFactor)) >>> (32 - slotBits);
  }

  /** The slot of the sought digest, or the free slot where the search for it ends. */
  function findSlot(): number {
    let slot = homeSlot(sought, 0);
    for (;;) {
      const entry = slots[slot] ?? 0;
      if (entry === 0 || hasSoughtDigest(entry - 1)) return slot;
      slot = (slot + 1) & slotMask;
    }
  }

  /** Compares all words, so that the time does not tell how many are equal. */
  function hasSoughtDigest(at: number): boolean {
    let difference = 0;
    for (let index = 0; index < digestWords; index += 1) difference |= (words[at + digestAt + index] ?? 0) ^ (sought[index] ?? 0);
    return difference === 0;
  }

  function slotOf(at: number): number {
    let slot = homeSlot(words, at + digestAt);
    while (slots[slot] !== at + 1) slot = (slot + 1) & slotMask;
    return slot;
  }

  function remove(digest: Uint8Array): void {
    soughtBytes.set(digest);
    const slot = findSlot();
    const entry = slots[slot] ?? 0;
    if (entry !== 0) removeRecord(slot, entry - 1);
  }

  function removeRecord(slot: number, at: number): void {
    const size = sizeAt(words, at);
    freeSlot(slot);
    writeGap(words, at, size);
    liveWords -= size;
    count -= 1;
  }

  /** Moves the entries behind the slot up, where their search would otherwise end at it. */
  function freeSlot(slot: number): void {
    let free = slot;
    for (let next = (slot + 1) & slotMask; ; next = (next + 1) & slotMask) {
      const entry = slots[next] ?? 0;
      if (entry === 0) break;
      const home = homeSlot(words, entry - 1 + digestAt);
      if (((next - home) & slotMask) < ((next - free) & slotMask)) continue;
      slots[free] = entry;
      free = next;
    }
    slots[free] = 0;
  }

  /** Whether a record fits at the head. If it does not fit before the end of the memory, the head moves to the start. */
  function hasRoom(size: number): boolean {
    return count < maxCount && findRoom(size);
  }

  function findRoom(size: number): boolean {
    if (usedWords > 0 && head <= tail) return tail - head >= size;
    if (capacity - head >= size) return true;
    writeGap(words, head, capacity - head);
    usedWords += capacity - head;
    head = 0;
    return tail >= size;
  }

  /** Writes the record of an account with the sought digest. */
  function writeAtHead(account: Account, size: number): void {
    writeRecord(memory, head, account);
    words.set(sought, head + digestAt);
    slots[findSlot()] = head + 1;
    advanceHead(size);
    liveWords += size;
    count += 1;
  }

  function advanceHead(size: number): void {
    head = (head + size) % capacity;
    usedWords += size;
  }

  /** Frees the memory of the oldest record, or moves it to the head. Returns whether it moved. */
  function retireOldest(mayMove: boolean): boolean {
    const at = tail;
    const size = sizeAt(words, at);
    const live = isLive(words, at);
    const keep = live && mayMove && (wasCalled(words, at) || liveWords < capacity * compactBelow);
    const slot = live ? slotOf(at) : 0;
    if (live && !keep) removeRecord(slot, at);
    tail = (tail + size) % capacity;
    usedWords -= size;
    if (!keep) return false;

    setCalled(words, at, false);
    // There is room at the head, at least what the record took at the tail, and making it overwrites nothing of the record.
    findRoom(size);
    words.copyWithin(head, at, at + size);
    slots[slot] = head + 1;
    advanceHead(size);
    return true;
  }

  return {
    find(digest) {
      soughtBytes.set(digest);
      const entry = slots[findSlot()] ?? 0;
      if (entry === 0) return undefined;
      setCalled(words, entry - 1, true);
      return readRecord(memory, entry - 1);
    },

    set(digest, account) {
      remove(digest);
      const size = sizeOfRecord(account);
      if (size > maxSize) return;
      let moves = 0;
      while (!hasRoom(size)) {
        if (retireOldest(moves < maxMoves)) moves += 1;
      }
      writeAtHead(account, size);
    },

    addIfRoom(digest, account) {
      soughtBytes.set(digest);
      if (slots[findSlot()] !== 0) return true;
      const size = sizeOfRecord(account);
      if (size > maxSize) return true;
      if (!hasRoom(size)) return false;
      writeAtHead(account, size);
      return true;
    },

    remove,

    clear() {
      slots.fill(0);
      head = tail = usedWords = liveWords = count = 0;
    },

    get count() {
      return count;
    },
    get bytes() {
      return slots.byteLength + usedWords * 4;
    },
  };
}

/** With records of typically 120 bytes, half of the slots are in use when the memory is full. */
const bytesPerSlot = 64;
const maxSlotUse = 0.75;
/** While a quarter of the memory is gaps, records are kept even if they were not called: moving them together is enough. */
const compactBelow = 0.75;
/** Bounds the time that adding one account takes. After so many moves, an account is evicted even if it was called. */
const maxMoves = 64;
const maxRecordWords = 1024;
