import { type Dirent, realpathSync } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readableFile } from '../../formats/recognize.ts';
import type { Finding, SourceFile } from '../../formats/types.ts';
import { CliError } from '../errors.ts';

/** Files to import, by paths below the folder that has all of them. */
export interface SourceFiles {
  /** That folder. */
  root: string;
  files: SourceFile[];
  /** The paths of files that were named, and not found in a folder. */
  named: Set<string>;
  findings: Finding[];
}

const maxFileBytes = 4 * 1024 * 1024;
const maxFiles = 20_000;

/** Reads files and folders. Of folders, only what may have something to import; links are not followed. */
export async function readSourceFiles(paths: string[]): Promise<SourceFiles> {
  const targets = await Promise.all(paths.map(findTarget));
  const [only] = targets;
  const root = targets.length === 1 && only?.isFolder ? only.path : commonFolder(targets.map(({ path }) => dirname(path)));
  const found: SourceFiles = { root, files: [], named: new Set(), findings: [] };
  for (const { path, isFolder } of targets) {
    if (isFolder) await readFolder(path, found);
    else {
      found.named.add(toPath(root, path));
      await readSource(path, found);
    }
  }
  return found;
}

/** Reads files that another one names, if they are below the root. */
export async function readReferences(paths: string[], found: SourceFiles): Promise<void> {
  const known = new Set(found.files.map(({ path }) => path));
  for (const path of paths) {
    const file = join(found.root, ...path.split('/'));
    const isFile = !known.has(path) && isBelow(found.root, file) && (await lstat(file).catch(() => undefined))?.isFile();
    if (isFile) await readSource(file, found);
    else if (path.includes('*')) await readFolder(join(found.root, ...path.slice(0, path.indexOf('*')).split('/').slice(0, -1)), found);
  }
}

async function findTarget(path: string): Promise<{ path: string; isFolder: boolean }> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new CliError(`There is no file or folder "${path}".`);
  // Without links, so that what is below a folder can be told.
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

async function readSource(file: string, { root, files, findings }: SourceFiles): Promise<void> {
  const path = toPath(root, file);
  if (files.some((known) => known.path === path)) return;
  if (files.length === maxFiles) throw new CliError(`There are more than ${maxFiles} files. Import one folder after another.`);
  const { size } = await stat(file);
  if (size > maxFileBytes) {
    findings.push({ path, construct: 'the file', message: `It has ${size} bytes, more than any prompt`, severity: 'error' });
    return;
  }
  try {
    files.push({ path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file)) });
  } catch (err) {
    if (!(err instanceof TypeError)) throw new CliError(`Cannot read ${file}: ${err instanceof Error ? err.message : err}`);
    findings.push({ path, construct: 'the file', message: 'It is not a text file in UTF-8', severity: 'error' });
  }
}

function isBelow(folder: string, file: string): boolean {
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function toPath(root: string, file: string): string {
  return relative(root, file).split(sep).join('/');
}
