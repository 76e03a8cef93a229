import { hash, randomBytes } from 'node:crypto';

/** Generates a token for a session or a reset link. Only its digest is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the digest of a token. A token has 256 random bits, so an unsalted digest cannot be reversed by guessing. */
export function digestToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
