import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { maxPasswordLength, minPasswordLength, recommendedPasswordLength } from '../../contract/limits.ts';
import { invalidField } from '../../errors.ts';

const derive = promisify(argon2);

// These are OWASP's minimum parameters for argon2id with one pass. Node runs it on the thread pool, off the event loop.
const memoryKib = 46 * 1024;
const passes = 1;
const parallelism = 1;
const tagLength = 32;

/** Hashes a password with argon2id into the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive('argon2id', { message: password, nonce: salt, memory: memoryKib, passes, parallelism, tagLength });
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`;
}

/**
 * Compares a password with a stored hash. The comparison takes just as long without a hash, so that the time does not reveal who has an
 * account.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const match = phcPattern.exec(stored ?? decoy);
  if (!match) throw new Error('A stored password hash is not in the expected format');
  const [, memory, time, lanes, salt = '', tag = ''] = match;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(time),
    parallelism: Number(lanes),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected) && stored !== undefined && password.isWellFormed();
}

/** Throws unless the password may be set: any 8 to 128 characters, but not the email address or a common password. */
export async function assertAcceptablePassword(path: string, password: string, own: { email: string }): Promise<void> {
  const length = [...password].length;
  if (length < minPasswordLength) {
    throw invalidField(path, `Use at least ${minPasswordLength} characters (${recommendedPasswordLength} or more are recommended)`);
  }
  if (length > maxPasswordLength) throw invalidField(path, `Use at most ${maxPasswordLength} characters`);
  // A lone surrogate has no UTF-8 encoding: it would be hashed as U+FFFD and match every other lone surrogate.
  if (!password.isWellFormed()) throw invalidField(path, 'Incomplete Unicode characters (lone surrogates) are not allowed');
  const lower = password.toLowerCase();
  if (lower === own.email.toLowerCase() || (await loadCommonPasswords()).has(lower)) {
    throw invalidField(path, 'This password is easy to guess. Choose another one.');
  }
}

let commonPasswords: Promise<Set<string>> | undefined;

/** Loads the list on first use, because it is large and rarely needed. */
function loadCommonPasswords(): Promise<Set<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const list: readonly (string | number)[] = dictionary['passwords-common'];
    return new Set(list.map(String).filter((password) => password.length >= 8));
  });
  return commonPasswords;
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;
const decoy = `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${encode(randomBytes(16))}$${encode(randomBytes(tagLength))}`;

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
