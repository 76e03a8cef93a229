import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError } from '../errors.ts';

/** Replaces a file as a whole: whoever reads it, also after this process was killed, finds the old text or the new one. */
export async function writeFileWhole(file: string, text: string, mode = 0o666): Promise<void> {
  const temporary = join(dirname(file), `.promptharbor-${randomUUID()}.tmp`);
  try {
    await mkdir(dirname(file), { recursive: true });
    // wx: never follows a link that somebody has put there.
    await writeFile(temporary, text, { mode, flag: 'wx' });
    await rename(temporary, file);
  } catch (err) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new CliError(`Cannot write ${file}: ${err instanceof Error ? err.message : err}`);
  }
}

/** Throws if a part of the path below `root` is a symbolic link, which may lead anywhere. */
export async function assertNoLinks(root: string, path: string): Promise<void> {
  let current = root;
  for (const part of path.split('/')) {
    current = join(current, part);
    const stats = await lstat(current).catch(() => undefined);
    if (stats?.isSymbolicLink()) throw new CliError(`${current} is a symbolic link. Links are neither followed nor replaced: remove it.`);
  }
}
