import { hash } from 'node:crypto';

/** The digest that the database stores and looks up. Keys have 256 random bits, so a fast unsalted hash is safe. */
export function digestKey(key: string): string {
  return hash('sha256', key, 'base64url');
}

export function isKey(text: string): boolean {
  return /^ph_[0-9a-f]{64}$/.test(text);
}
