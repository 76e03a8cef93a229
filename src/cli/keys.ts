import { loadConfig } from '../config.ts';
import { createKeyring } from '../domain/secrets/keyring.ts';
import { runTask } from './operator/run-task.ts';

/** A running service encrypts with its own SECRET_KEY. The sample shows it which one is meant here. */
export async function resealKeysCommand(): Promise<void> {
  const { secretKey } = loadConfig();
  const sample = secretKey === undefined ? undefined : createKeyring({ current: secretKey }).seal('sample', 'sample');
  await runTask('keys reseal', { sample });
}
