import { isAbsolute } from 'node:path';
import type { Context } from '../../domain/context.ts';
import { StartError } from '../../errors.ts';
import { hasOption, type Options, textOf } from '../command.ts';
import { count } from '../terminal.ts';
import type { TaskOutput } from './task.ts';

/** Makes a backup of the embedded database. `file` is an absolute path, because the service may have another working directory. */
export async function backUp({ backups }: Context, input: Options, { print, signal }: TaskOutput): Promise<void> {
  const file = textOf(input, 'file');
  if (!backups || file === undefined || !isAbsolute(file) || file.includes('\0')) throw new StartError('<file> is not valid.');
  const { bytes, durationMs, accounts, prompts, versions } = await backups.make({ file, force: hasOption(input, 'force') }, signal);
  await print(
    `${file}: ${formatBytes(bytes)} in ${(durationMs / 1000).toFixed(1)} s, verified. ` +
      `It contains ${count(accounts, 'account')}, ${count(prompts, 'prompt')} and ${count(versions, 'version')}.`,
  );
}

function formatBytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
