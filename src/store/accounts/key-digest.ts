import { hash } from 'node:crypto';

/** What the database looks a key up by. A key has 256 random bits, so a plain digest cannot be guessed back. */
export function digestKey(key: string): string {
  return hash('sha256', key, 'base64url');
}

export function isKey(text: string): boolean {
  return /^ph_[0-9a-f]{64}$/.test(text);
}
