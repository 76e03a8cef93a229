import { hash } from 'node:crypto';
import { sql } from 'kysely';

/** The stored form of a key. */
export interface StoredKey {
  keyDigest: string;
  keyCipher: string;
}

/** Returns the digest that the database stores and looks up. Keys have 256 random bits, so a fast unsalted hash is safe. */
export function digestKey(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** Returns the columns to update when the key of an account is replaced. */
export function nextKeyColumns({ keyDigest, keyCipher }: StoredKey, now: string) {
  return { key_digest: keyDigest, key_cipher: keyCipher, key_created_at: now, key_serial: sql<number>`key_serial + 1`, updated_at: now };
}

export function isKey(text: string): boolean {
  return /^ph_[0-9a-f]{64}$/.test(text);
}
