import { getAccountByEmail } from '../../domain/accounts/accounts.ts';
import { replaceAllKeys, replaceKey } from '../../domain/accounts/keys.ts';
import type { Context } from '../../domain/context.ts';
import { StartError } from '../../errors.ts';
import { hasOption, type Options, textOf } from '../command.ts';
import { count } from '../terminal.ts';
import type { TaskOutput } from './task.ts';

export const whereNewKeysAre =
  'Owners find their new key in the dashboard under Settings › API Keys. To get the new key of a service account, reset it once more in the dashboard under Settings › Members.';

/** Replaces the key of one account or the keys of all accounts. Only the owners can see the new keys. */
export async function resetKeys(ctx: Context, input: Options, { print }: TaskOutput): Promise<void> {
  const reset = hasOption(input, 'all') ? await replaceAllKeys(ctx) : await resetOne(ctx, textOf(input, 'email') ?? '');
  await print(`${count(reset, 'key')} reset. ${whereNewKeysAre}`);
}

async function resetOne(ctx: Context, email: string): Promise<number> {
  const { id } = await getAccountByEmail(ctx, email);
  if (!(await replaceKey(ctx, id))) throw new StartError('Someone else changed the key at the same time. Try again.');
  return 1;
}
