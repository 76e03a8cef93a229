import { hash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Client } from '../actor.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { secretOwners } from '../secrets/stored-secrets.ts';
import type { WithAudit } from './audit.ts';

const periodSeconds = 30;
const recoveryCodeCount = 10;
// The alphabet lacks l and o, which look like 1 and 0. It has 32 characters, so that a code of 20 characters has 100 random bits.
const recoveryAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Checks a recovery code or, if the account has a confirmed authenticator, a code from it. Each code is accepted only once. */
export async function verifyCode(
  ctx: WithKeyring & WithAudit,
  { accountId, authenticator, client, ...given }: CodeCheck,
): Promise<boolean> {
  const code = given.code.toLowerCase().replaceAll(/[\s-]/g, '');
  if (isTotp(code)) {
    if (!authenticator) return false;
    const { secretCipher, confirmedAt } = authenticator;
    const step = findStep(openSecret(ctx, { accountId, secretCipher }), code);
    return step !== undefined && ctx.store.twoFactor.useStep(accountId, { confirmedAt, step });
  }
  const used = await ctx.store.twoFactor.useRecoveryCode(accountId, digestRecoveryCode(code));
  if (used) ctx.audit({ type: 'recovery_code_used', accountId, client });
  return used;
}

interface CodeCheck {
  accountId: string;
  authenticator: { secretCipher: string; confirmedAt: string } | undefined;
  code: string;
  client: Client;
}

/** Returns the time step of a valid code: the current one or, to allow for clock drift, the one before or after (RFC 6238). */
export function findStep(secret: string, code: string): number | undefined {
  if (!isTotp(code)) return undefined;
  const timestamp = Date.now();
  const delta = authenticator(secret).validate({ token: code, timestamp, window: 1 });
  return delta === null ? undefined : Math.floor(timestamp / 1000 / periodSeconds) + delta;
}

/** Generates a secret of 160 random bits in base32, as RFC 4226 recommends. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/**
 * Returns the URI that authenticator apps read from a QR code. The URI does not state SHA-1, 6 digits and 30 seconds, because these are the
 * defaults of every app.
 */
export function authenticatorUri(secret: string, email: string): string {
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?secret=${secret}&issuer=${issuer}`;
}

/** Generates a set of recovery codes such as `k3v9p-2m8xq-7hd4r-wz6tn`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => Array.from({ length: 4 }, randomGroup).join('-'));
}

/** Recovery codes are stored as digests. With 100 random bits, an unsalted digest cannot be reversed by guessing. */
export function digestRecoveryCode(code: string): string {
  return hash('sha256', code.replaceAll('-', ''), 'base64url');
}

export function openSecret(ctx: WithKeyring, { accountId, secretCipher }: { accountId: string; secretCipher: string }): string {
  return ctx.keyring.get(secretCipher, secretOwners.twoFactor(accountId));
}

const issuer = 'PromptHarbor';

function isTotp(code: string): boolean {
  return /^[0-9]{6}$/.test(code);
}

function authenticator(secret: string): TOTP {
  return new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: periodSeconds });
}

function randomGroup(): string {
  return Array.from({ length: 5 }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)]).join('');
}
