import { randomBytes } from 'node:crypto';
import { link, lstat, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../../errors.ts';

export interface BackupTarget {
  /** The absolute path of the backup. */
  file: string;
  /** Whether an existing file is replaced. */
  force: boolean;
}

/** Throws if the backup cannot be written to its path. The path is checked before any work, and again when the backup is published. */
export async function assertTarget({ file, force, dataDir }: BackupTarget & { dataDir: string }): Promise<void> {
  const folder = await realpath(dirname(file)).catch((err: unknown) => {
    throw explainWriteError(err, file);
  });
  if (folder === (await realpath(dataDir)) && /^(promptharbor\.|statistics\.db|lock\.db|secret\.key)/i.test(basename(file))) {
    throw new StartError(`${file} is a file of the service itself. Give the backup another name, preferably on another disk.`);
  }
  const existing = await lstat(file).catch(() => undefined);
  if (existing?.isDirectory()) throw new StartError(`${file} is a folder. Specify a file in it.`);
  // A special file such as /dev/null is refused, because a rename would replace it.
  if (existing && !existing.isFile() && !existing.isSymbolicLink())
    throw new StartError(`${file} is not a regular file. Specify another file.`);
  if (existing && !force) throw new StartError(alreadyExists(file));
}

/** Returns a name for the draft in the folder of the backup, because a file can be renamed only within one file system. */
export function nameDraft(file: string): string {
  return join(dirname(file), `.${basename(file)}.${randomBytes(4).toString('hex')}.partial`);
}

/** Removes all drafts of this file, including those that a killed process left behind. */
export async function removeDrafts(file: string): Promise<void> {
  const prefix = `.${basename(file)}.`;
  const names = await readdir(dirname(file)).catch(() => []);
  const isDraft = (name: string) =>
    name.startsWith(prefix) && /^[0-9a-f]{8}\.partial(-wal|-shm|-journal)?$/.test(name.slice(prefix.length));
  for (const name of names.filter(isDraft)) await rm(join(dirname(file), name), { force: true });
}

/** Renames a finished draft to the name of the backup in one step. A symbolic link with that name is replaced, never followed. */
export async function publishDraft({ draft, file, force }: BackupTarget & { draft: string }): Promise<void> {
  if (force) await rename(draft, file);
  else await linkDraft(draft, file);
  await syncFolder(dirname(file));
}

/** Links the draft to its final name. Unlike a rename, this fails if the name has been taken in the meantime. */
async function linkDraft(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
    await rm(draft);
  } catch (err) {
    if (codeOf(err) === 'EEXIST') throw new StartError(alreadyExists(file));
    // Some file systems do not support links. In that case, the draft is renamed instead.
    if (await lstat(file).catch(() => undefined)) throw new StartError(alreadyExists(file));
    await rename(draft, file);
  }
}

/** Makes the names in a folder durable, if the system supports this. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/** Explains what the operator can do about a backup that cannot be written. */
export function explainWriteError(err: unknown, file: string): unknown {
  const folder = dirname(file);
  const text = new Map([
    ['ENOSPC', `The disk of ${folder} is full. No partial file was left behind. Free some space or use another disk.`],
    ['EDQUOT', `The disk quota of ${folder} is used up. No partial file was left behind. Free some space or use another disk.`],
    ['ENOENT', `There is no folder ${folder}. Create it first.`],
    ['ENOTDIR', `${folder} is not a folder.`],
    ['EEXIST', `${folder} is not a folder.`],
    ['EACCES', `The user that runs the service cannot write to ${folder}.`],
    ['EPERM', `The user that runs the service cannot write to ${folder}.`],
    ['EROFS', `${folder} is on a read-only file system. Specify another folder.`],
    ['ENAMETOOLONG', 'The file name is too long.'],
  ]).get(codeOf(err) ?? '');
  return text === undefined ? err : new StartError(text, { cause: err });
}

function alreadyExists(file: string): string {
  return `${file} already exists. Choose another file, or add --force to replace it.`;
}

function codeOf(err: unknown): string | undefined {
  return err instanceof Error && 'code' in err && typeof err.code === 'string' ? err.code : undefined;
}
