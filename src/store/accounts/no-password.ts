import { randomBytes } from 'node:crypto';

// A real salt is random, so no password was ever hashed with this salt. Instances of earlier versions treat the hash like any other.
const prefix = `$argon2id$v=19$m=${46 * 1024},t=1,p=1$${'A'.repeat(22)}$`;

/**
 * Returns a hash that no password matches, for an account without a password. Each hash is different, because other data is bound to the
 * hash.
 */
export function noPasswordHash(): string {
  return `${prefix}${randomBytes(32).toString('base64').replaceAll('=', '')}`;
}

export function hasPassword(passwordHash: string): boolean {
  return !passwordHash.startsWith(prefix);
}
