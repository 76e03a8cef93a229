// The client imports this file too, so it must not import code that runs only on a server. docs/releases.md publishes the hash with test
// values: programs in other languages compute the same hash, so it must never change.

/** The share that the weights of a release divide, in ten-thousandths. */
export const fullWeight = 10_000;
export const controlArm = 'control';

export const releaseReasons = ['SPLIT', 'RULE', 'NO_KEY'] as const;
/**
 * The reason why a caller gets a version: its key, a rule, or the lack of a key. If no rule applies, a caller without a key gets the
 * control.
 */
export type ReleaseReason = (typeof releaseReasons)[number];

export interface Arm {
  version: number;
  /** The share of the keys that get this version, in ten-thousandths. */
  weight: number;
}

export interface Rule {
  /** The rule applies if each of these attributes has one of the listed values. The attribute `key` is the key itself. */
  if: Readonly<Record<string, readonly string[]>>;
  version: number;
}

/** The division of a label's callers between versions. */
export interface Split {
  id: string;
  salt: string;
  control: number;
  arms: readonly Arm[];
  rules: readonly Rule[];
}

/** The information that a caller sends about itself. Values other than text, numbers and booleans match no rule. */
export interface Caller {
  key?: string | undefined;
  context?: Readonly<Record<string, unknown>> | undefined;
}

/** The version that a caller gets, and why. */
export interface Assignment {
  version: number;
  reason: ReleaseReason;
}

/** A part of a response that says how the version was chosen. */
export interface AssignedRelease {
  id: string;
  arm: string;
  reason: ReleaseReason;
}

/** Chooses the version for a caller. The same caller always gets the same version while the weights and rules stay the same. */
export function assign(split: Split, caller: Caller): Assignment {
  const { key } = caller;
  for (const rule of split.rules) if (matches(rule, caller)) return { version: rule.version, reason: 'RULE' };
  if (key === undefined) return { version: split.control, reason: 'NO_KEY' };
  return { version: findArm(split, bucketOf(split.salt, key)), reason: 'SPLIT' };
}

export function toAssignedRelease({ id, control }: Pick<Split, 'id' | 'control'>, { version, reason }: Assignment): AssignedRelease {
  return { id, arm: nameArm(control, version), reason };
}

export function nameArm(control: number, version: number): string {
  return version === control ? controlArm : `v${version}`;
}

/**
 * Finds the version for a bucket. Each arm takes the buckets that follow the buckets of the previous arm, and the control takes the rest,
 * so an arm keeps its callers when it is widened.
 */
function findArm({ arms, control }: Split, bucket: number): number {
  let end = 0;
  for (const { version, weight } of arms) {
    end += weight;
    if (bucket < end) return version;
  }
  return control;
}

function matches(rule: Rule, caller: Caller): boolean {
  for (const name of Object.keys(rule.if)) {
    const value = findAttribute(caller, name);
    // Text that was sent as UTF-8, such as a URL, has replacement characters in place of lone surrogates. The hash replaces them in the
    // same way.
    if (!isComparable(value) || !rule.if[name]?.includes(String(value).toWellFormed())) return false;
  }
  return true;
}

function findAttribute({ key, context }: Caller, name: string): unknown {
  if (name === 'key') return key;
  return context && Object.hasOwn(context, name) ? context[name] : undefined;
}

function isComparable(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Returns the bucket of a key, from 0 to 9,999. */
export function bucketOf(salt: string, key: string): number {
  return Math.floor((hashKey(salt, key) * fullWeight) / 2 ** 32);
}

/** Returns the hash that stands for a key in a release. */
export function hashKey(salt: string, key: string): number {
  const text = `${salt}:${key}`;
  if (text.length * maxBytesOfUnit > buffer.length) return murmurHash3(encoder.encode(text));
  return murmurHash3(buffer, encoder.encodeInto(text, buffer).written);
}

const encoder = new TextEncoder();
/** A buffer for all but very long keys, because creating an array for each key would take longer than hashing the key. */
const buffer = new Uint8Array(4096);
/** The maximum number of UTF-8 bytes for one UTF-16 code unit. */
const maxBytesOfUnit = 3;

/** Returns the hash MurmurHash3 (x86, 32 bits) of the first bytes with the seed 0, as an unsigned number. */
export function murmurHash3(bytes: Uint8Array, length = bytes.length): number {
  const end = length - (length % 4);
  let hash = 0;
  for (let index = 0; index < end; index += 4) {
    hash = Math.imul(rotate(hash ^ scramble(readWord(bytes, index, 4)), 13), 5) + 0xe6546b64;
  }
  if (end < length) hash ^= scramble(readWord(bytes, end, length - end));
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Reads up to four bytes, the lowest first. */
function readWord(bytes: Uint8Array, start: number, length: number): number {
  let word = 0;
  for (let index = 0; index < length; index += 1) word |= (bytes[start + index] ?? 0) << (8 * index);
  return word;
}

function scramble(word: number): number {
  return Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
