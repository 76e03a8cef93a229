import { loadConfig } from '../config.ts';
import { createKeyring } from '../domain/secrets/keyring.ts';
import { StartError } from '../errors.ts';
import { hasOption, type Input, textOf } from './command.ts';
import { UsageError } from './errors.ts';
import { runTask } from './operator/run-task.ts';
import { askOnce } from './questions.ts';

/**
 * Re-encrypts all secrets. If a service is running, it does this with its own SECRET_KEY. It therefore receives a sample that is encrypted
 * with the SECRET_KEY of this command, and refuses the command if it cannot decrypt the sample.
 */
export async function resealKeysCommand(): Promise<void> {
  const { secretKey } = loadConfig();
  const sample = secretKey === undefined ? undefined : createKeyring({ current: secretKey }).seal('sample', 'sample');
  await runTask('keys reseal', { sample });
}

export async function resetKeysCommand(input: Input): Promise<void> {
  const [email, all] = [textOf(input, 'email'), hasOption(input, 'all')];
  if ((email === undefined) !== all) throw new UsageError('Use either --email, or --all for the keys of all accounts.');
  if (all && process.stdin.isTTY) await confirmReset();
  await runTask('keys reset', { email, all });
}

async function confirmReset(): Promise<void> {
  const answer = await askOnce(
    'Every program that uses a key of this service will fail until it gets the new key.\nReset all keys? [y]es or [c]ancel: ',
  );
  if (!/^y/i.test(answer)) throw new StartError('No key was reset.');
}
