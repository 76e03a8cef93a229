import type { Account } from '../accounts/accounts.ts';

/** Memory that is read as 32-bit words and, for text, as bytes. */
export interface PackedMemory {
  words: Uint32Array;
  bytes: Buffer;
}

/**
 * A record is one account in packed memory, in words: its size and flags, the 8 words of the key digest, the numbers of the account,
 * the lengths of its texts, and the texts in UTF-8: id, email, the home workspace of a service account, name. Of a removed account only the size is left, as a gap.
 */
export const digestAt = 1;
export const digestWords = 8;
const revisionAt = digestAt + digestWords;
const keySerialAt = revisionAt + 2;
const textLengthsAt = keySerialAt + 1;
const textAt = textLengthsAt + 1;

// The first word, from its lowest bit: two flags, the number of unused bytes at the end, and the size in words.
const liveFlag = 1;
const calledFlag = 2;
const paddingShift = 2;
const sizeShift = 4;

/** The size of an account's record in words. Infinite if it cannot be written. */
export function sizeOfRecord({ id, email, homeWorkspaceId, name }: Account): number {
  const home = homeWorkspaceId ?? '';
  if (id.length > maxIdLength || home.length > maxIdLength) return Number.POSITIVE_INFINITY;
  return textAt + Math.ceil(Buffer.byteLength(id + email + home + name) / 4);
}

/** Writes everything but the digest. */
export function writeRecord({ words, bytes }: PackedMemory, at: number, account: Account): void {
  const { id, email, name, revision, keySerial } = account;
  const home = account.homeWorkspaceId ?? '';
  const textBytes = bytes.write(id + email + home + name, (at + textAt) * 4);
  const textWords = Math.ceil(textBytes / 4);
  words[at] = ((textAt + textWords) << sizeShift) | ((textWords * 4 - textBytes) << paddingShift) | liveFlag;
  // A revision has up to 53 bits.
  words[at + revisionAt] = revision % wordRange;
  words[at + revisionAt + 1] = Math.floor(revision / wordRange);
  words[at + keySerialAt] = keySerial;
  words[at + textLengthsAt] = (email.length << 16) | (home.length << 8) | id.length;
}

export function readRecord({ words, bytes }: PackedMemory, at: number): Account {
  const padding = ((words[at] ?? 0) >>> paddingShift) & 3;
  // One text for all of them is read in half the time of three.
  const text = bytes.toString('utf8', (at + textAt) * 4, (at + sizeAt(words, at)) * 4 - padding);
  const textLengths = words[at + textLengthsAt] ?? 0;
  const idEnd = textLengths & 0xff;
  const emailEnd = idEnd + (textLengths >>> 16);
  const homeEnd = emailEnd + ((textLengths >>> 8) & 0xff);
  return {
    id: text.slice(0, idEnd),
    email: text.slice(idEnd, emailEnd),
    homeWorkspaceId: homeEnd === emailEnd ? null : text.slice(emailEnd, homeEnd),
    name: text.slice(homeEnd),
    revision: (words[at + revisionAt] ?? 0) + (words[at + revisionAt + 1] ?? 0) * wordRange,
    keySerial: words[at + keySerialAt] ?? 0,
  };
}

export function sizeAt(words: Uint32Array, at: number): number {
  return (words[at] ?? 0) >>> sizeShift;
}

/** Clears a record. Its size stays, so that the next record can be found. */
export function writeGap(words: Uint32Array, at: number, size: number): void {
  words.fill(0, at + 1, at + size);
  words[at] = size << sizeShift;
}

export function isLive(words: Uint32Array, at: number): boolean {
  return ((words[at] ?? 0) & liveFlag) !== 0;
}

/** Whether the account was called since its record was written or moved. */
export function wasCalled(words: Uint32Array, at: number): boolean {
  return ((words[at] ?? 0) & calledFlag) !== 0;
}

export function setCalled(words: Uint32Array, at: number, called: boolean): void {
  const word = words[at] ?? 0;
  words[at] = called ? word | calledFlag : word & ~calledFlag;
}

const wordRange = 2 ** 32;
/** The lengths of the ids take a byte each. */
const maxIdLength = 255;
