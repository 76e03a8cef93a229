import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../errors.ts';
import { canaryName } from '../../store/meta.ts';
import type { Store } from '../../store/store.ts';
import { createKeyring, type Keyring } from './keyring.ts';

interface SecretSettings {
  secretKey: string | undefined;
  secretKeyPrevious: string | undefined;
  /** The folder in which the embedded database keeps its secret if SECRET_KEY is not set. Undefined with PostgreSQL. */
  dataDir: string | undefined;
}

const canaryText = 'the harbor is open';

/**
 * Loads the master secret and verifies that the database was encrypted with it. With a wrong secret, the service does not start. A secret
 * is never silently replaced.
 */
export async function unlock(store: Store, settings: SecretSettings): Promise<Keyring> {
  const canary = await store.meta.find(canaryName);
  const current = settings.secretKey ?? readOrCreateSecret(settings.dataDir, { mayCreate: canary === undefined });
  const keyring = createKeyring({ current, previous: settings.secretKeyPrevious });

  if (canary === undefined) await store.meta.insertOnce(canaryName, keyring.seal(canaryText, canaryName));
  assertFits(keyring, await store.meta.find(canaryName));
  return keyring;
}

/**
 * Verifies the master secret with the canary of the database. Throws an error with the text `problem` if they do not match. Never creates a
 * secret.
 */
export function checkSecret(canary: string | undefined, settings: SecretSettings, problem?: string): void {
  if (canary === undefined) return;
  const current = settings.secretKey ?? readOrCreateSecret(settings.dataDir, { mayCreate: false });
  assertFits(createKeyring({ current, previous: settings.secretKeyPrevious }), canary, problem);
}

/**
 * Re-encrypts the canary with the current secret. Call this only after all keys are re-encrypted, because the previous secret is not needed
 * afterwards.
 */
export async function resealCanary(store: Store, keyring: Keyring): Promise<void> {
  await store.meta.put(canaryName, keyring.seal(canaryText, canaryName));
}

/** Throws if the master secret cannot decrypt the canary of the database. */
export function assertFits(keyring: Keyring, canary = '', problem = wrongSecret): void {
  if (keyring.open(canary, canaryName) !== canaryText) throw new StartError(problem);
}

const wrongSecret =
  'The secret does not match this database. Start with the SECRET_KEY (or secret.key file) that the database was created with. ' +
  'If you have changed the secret, set SECRET_KEY_PREVIOUS to the old one.';

function readOrCreateSecret(dataDir: string | undefined, { mayCreate }: { mayCreate: boolean }): string {
  if (dataDir === undefined) throw new StartError('SECRET_KEY is required with PostgreSQL.');
  const file = join(dataDir, 'secret.key');
  if (existsSync(file)) {
    const secret = readSecret(file);
    if (secret.length < 32) throw new StartError(`${file} is damaged: it must contain at least 32 characters. Restore it from a backup.`);
    return secret;
  }
  if (!mayCreate) {
    throw new StartError(`${file} is missing. Without it, the stored keys cannot be read. Restore it, or set SECRET_KEY to its content.`);
  }
  const secret = randomBytes(32).toString('hex');
  writeDurably(file, `${secret}\n`);
  return secret;
}

/**
 * Writes a file durably. The file gets its name only after its content is on disk, so that a process that is killed midway leaves no
 * incomplete secret behind.
 */
function writeDurably(file: string, text: string): void {
  const draft = `${file}.new`;
  const handle = openSync(draft, 'w', 0o600);
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(draft, file);
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (err) {
    throw new StartError(`${file} cannot be read. Make it readable for this user.`, { cause: err });
  }
}
