import { randomBytes } from 'node:crypto';

const hourMs = 3_600_000;
/** The number of base-36 digits of a time. All times between 1972 and 2059 have this number of digits. */
const timeDigits = 8;
const maxIdTime = 36 ** timeDigits - 1;
let lastTime = 0;
let count = 0;

/**
 * Generates an id such as `u_mhz1k3p0_0015f0c9a7e21d4b836`. It is unique without a query, and the ids of one process sort in the order of
 * their creation, even within a millisecond.
 */
export function newId(prefix: string): string {
  const time = Date.now();
  count = time === lastTime ? count + 1 : 0;
  lastTime = time;
  return `${prefix}_${time.toString(36)}_${count.toString(36).padStart(3, '0')}${randomBytes(8).toString('hex')}`;
}

/** Returns an id that sorts before all ids that are created after `other`, even by an instance whose clock is up to an hour behind. */
export function idAfter(prefix: string, other: string): string {
  const [, time = ''] = other.split('_');
  return `${prefix}_${(Number.parseInt(time, 36) - hourMs).toString(36)}`;
}

/** Returns a string that sorts before all ids that a process creates at this time or later, and after all ids that it created before. */
export function firstIdAt(prefix: string, time: Date): string {
  const ms = Math.min(Math.max(time.getTime(), 0), maxIdTime);
  return `${prefix}_${ms.toString(36).padStart(timeDigits, '0')}`;
}

/**
 * Prepares an id or name from a request for a lookup. The store refuses NUL and never stores lone surrogates, so text that contains one of
 * these is never found.
 */
export function toStorable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
