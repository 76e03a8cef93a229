import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError } from '../errors.ts';

/** Reads a file, or returns undefined if it does not exist. */
export async function findText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return undefined;
    throw new CliError(`Cannot read ${file}: ${err.message}`);
  });
}

/** Replaces a file atomically. A reader always finds either the old text or the new one, even if this process is killed. */
export async function writeFileWhole(file: string, text: string | AsyncIterable<string>, mode = 0o666): Promise<void> {
  const temporary = join(dirname(file), `.promptharbor-${randomUUID()}.tmp`);
  try {
    await mkdir(dirname(file), { recursive: true });
    // With the flag `wx`, a link that someone put there is never followed.
    await writeFile(temporary, text, { mode, flag: 'wx' });
    await rename(temporary, file);
  } catch (err) {
    await rm(temporary, { force: true }).catch(() => undefined);
    // An error that no system call caused comes from the source of the text.
    throw err instanceof Error && 'syscall' in err ? new CliError(`Cannot write ${file}: ${err.message}`) : err;
  }
}

/** Throws if a part of the path below `root` is a symbolic link, because the link may lead anywhere. */
export async function assertNoLinks(root: string, path: string): Promise<void> {
  let current = root;
  for (const part of path.split('/')) {
    current = join(current, part);
    const stats = await lstat(current).catch(() => undefined);
    if (stats?.isSymbolicLink()) throw new CliError(`${current} is a symbolic link. Links are neither followed nor replaced. Remove it.`);
  }
}
