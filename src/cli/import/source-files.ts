import { type Dirent, realpathSync } from 'node:fs';
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Finding, SourceFile } from '../../formats/draft-types.ts';
import { readableFile } from '../../formats/recognize.ts';
import { CliError, messageOf } from '../errors.ts';

/** The files to import, by their paths relative to `root`. */
interface SourceFiles {
  /** The folder that contains all files. */
  root: string;
  files: SourceFile[];
  /** The paths of files that were read or refused. */
  paths: Set<string>;
  /** The number of bytes that were read. */
  bytes: number;
  /** The paths that the user named directly. All other files were found in folders. */
  named: Set<string>;
  findings: Finding[];
}

const maxFileBytes = 4 * 1024 * 1024;
const maxFiles = 20_000;
/** The maximum size of all files together. They are kept in memory, because they may belong together. */
const maxBytes = 256 * 1024 * 1024;

/** Reads files and folders. In folders, only files that may be imported are read, and links are not followed. */
export async function readSourceFiles(paths: string[]): Promise<SourceFiles> {
  const targets = await Promise.all(paths.map(findTarget));
  const [only] = targets;
  const root = targets.length === 1 && only?.isFolder ? only.path : commonFolder(targets.map(({ path }) => dirname(path)));
  const found: SourceFiles = { root, files: [], paths: new Set(), bytes: 0, named: new Set(), findings: [] };
  for (const { path, isFolder } of targets) {
    if (isFolder) await readFolder(path, found);
    else {
      found.named.add(toPath(root, path));
      await readSource(path, found);
    }
  }
  return found;
}

/** Reads the files to which other files refer, if they are below the root. */
export async function readReferences(paths: string[], found: SourceFiles): Promise<void> {
  const { root } = found;
  for (const path of paths) {
    const file = join(root, ...path.split('/'));
    const isFile = (await isBelow(root, file)) && (await lstat(file).catch(() => undefined))?.isFile();
    if (isFile) await readSource(file, found);
    else if (path.includes('*')) {
      const folder = join(root, ...path.slice(0, path.indexOf('*')).split('/').slice(0, -1));
      if (await isBelow(root, folder)) await readFolder(folder, found);
    }
  }
}

async function findTarget(path: string): Promise<{ path: string; isFolder: boolean }> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new CliError(`There is no file or folder "${path}".`);
  // Devices and pipes are refused, because reading them may never end.
  if (!found.isFile() && !found.isDirectory()) throw new CliError(`"${path}" is neither a file nor a folder.`);
  // Links are resolved, so that the command can determine which files are inside a folder.
  return { path: realpathSync(resolve(path)), isFolder: found.isDirectory() };
}

function commonFolder(folders: string[]): string {
  const [first = '', ...others] = folders.map((folder) => folder.split(sep));
  const parts = [...first];
  for (const other of others) while (parts.some((part, index) => other[index] !== part)) parts.pop();
  return parts.join(sep) || sep;
}

async function readFolder(folder: string, found: SourceFiles): Promise<void> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await readFolder(path, found);
    else if (entry.isFile() && readableFile.test(entry.name)) await readSource(path, found);
  }
}

async function readSource(file: string, found: SourceFiles): Promise<void> {
  const { root, paths, files, findings } = found;
  const path = toPath(root, file);
  if (paths.has(path)) return;
  paths.add(path);
  if (files.length === maxFiles) throw new CliError(`There are more than ${maxFiles} files. Import the folders one at a time.`);
  const { size } = await stat(file);
  if (size > maxFileBytes) {
    findings.push({ path, construct: 'the file', message: `It is too large for a prompt (${size} bytes)`, severity: 'error' });
    return;
  }
  found.bytes += size;
  if (found.bytes > maxBytes)
    throw new CliError(`The files are larger than ${maxBytes / 1024 / 1024} MiB in total. Import the folders one at a time.`);
  try {
    files.push({ path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file)) });
  } catch (err) {
    if (!(err instanceof TypeError)) throw new CliError(`Cannot read ${file}: ${messageOf(err)}`);
    findings.push({ path, construct: 'the file', message: 'It is not a UTF-8 text file', severity: 'error' });
  }
}

/** Returns whether a path leads to the folder or to something inside it, even through links. */
async function isBelow(folder: string, path: string): Promise<boolean> {
  const target = await realpath(path).catch(() => undefined);
  return target === folder || target?.startsWith(folder.endsWith(sep) ? folder : folder + sep) === true;
}

function toPath(root: string, file: string): string {
  return relative(root, file).split(sep).join('/');
}
