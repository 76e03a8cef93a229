import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import { createKeyring, type Keyring } from './keyring.ts';

export interface SecretSettings {
  secretKey: string | undefined;
  secretKeyPrevious: string | undefined;
  /** Where the embedded store keeps its secret when none is given. Undefined with PostgreSQL. */
  dataDir: string | undefined;
}

const canaryName = 'canary';
const canaryText = 'the harbor is open';

/** Finds the master secret and proves that it fits the database before anything is served. Nothing is regenerated silently. */
export async function unlock(store: Store, settings: SecretSettings): Promise<Keyring> {
  const canary = await store.meta.find(canaryName);
  const current = settings.secretKey ?? readOrMakeSecret(settings.dataDir, canary === undefined);
  const keyring = createKeyring({ current, previous: settings.secretKeyPrevious });

  if (canary === undefined) await store.meta.insertOnce(canaryName, keyring.seal(canaryText, canaryName));
  if (keyring.open((await store.meta.find(canaryName)) ?? '', canaryName) !== canaryText) {
    throw new StartError(
      'The secret does not fit this database. Start with the SECRET_KEY (or secret.key file) it was made with; ' +
        'after a change of secret, give the old one as SECRET_KEY_PREVIOUS.',
    );
  }
  return keyring;
}

/** Seals the canary with the current secret, once all keys are. From then on the previous secret is not needed. */
export async function resealCanary(store: Store, keyring: Keyring): Promise<void> {
  await store.meta.replace(canaryName, keyring.seal(canaryText, canaryName));
}

function readOrMakeSecret(dataDir: string | undefined, mayMake: boolean): string {
  if (dataDir === undefined) throw new StartError('SECRET_KEY is required with PostgreSQL.');
  const file = join(dataDir, 'secret.key');
  if (existsSync(file)) {
    const secret = readSecret(file);
    if (secret.length < 32) throw new StartError(`${file} is damaged: it must hold 32 characters or more. Restore it from a backup.`);
    return secret;
  }
  if (!mayMake) {
    throw new StartError(
      `${file} is missing, and without it the stored keys cannot be read. Put it back, or give its content as SECRET_KEY.`,
    );
  }
  const secret = randomBytes(32).toString('hex');
  writeDurably(file, `${secret}\n`);
  return secret;
}

/** Under its name only once it is whole and on disk: a start that is killed halfway leaves nothing that the next would stumble over. */
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
    throw new StartError(`${file} cannot be read. Make it a file that this user may read.`, { cause: err });
  }
}
