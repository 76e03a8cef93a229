import type { Dirent } from 'node:fs';
import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { findNameProblem } from '../../contract/prompt-names.ts';
import { FileProblem } from '../../formats/file-problem.ts';
import { CliError, messageOf } from '../errors.ts';
import { digestContent } from './content.ts';
import { choosePaths, extensions, isPathOf, isPromptFile, nameOfPath } from './file-names.ts';
import type { PromptFile } from './prompt-file.ts';
import { assertNoLinks, writeFileWhole } from './text-file.ts';

/** A prompt in a file. */
export interface LocalPrompt extends PromptFile {
  name: string;
  /** The path relative to the folder, with `/` between the parts. */
  path: string;
  text: string;
  digest: string;
}

/** A file that is not a valid prompt, and the reason. */
export interface LocalProblem {
  path: string;
  message: string;
  line?: number | undefined;
}

export interface LocalPrompts {
  prompts: Map<string, LocalPrompt>;
  problems: LocalProblem[];
}

const maxFileBytes = 4 * 1024 * 1024;

/** Reads all prompt files in a folder and its subfolders. Returns no files if the folder does not exist. */
export async function readFolder(root: string): Promise<LocalPrompts> {
  const prompts = new Map<string, LocalPrompt>();
  const problems: LocalProblem[] = [];
  for (const path of await listFiles(root, '', problems)) {
    try {
      const prompt = await readPrompt(root, path);
      const other = prompts.get(prompt.name);
      if (other) throw new FileProblem(`"${prompt.name}" is also in ${showPath(root, other.path)}. Remove one of the two files`);
      prompts.set(prompt.name, prompt);
    } catch (err) {
      if (!(err instanceof FileProblem)) throw err;
      problems.push({ path, message: err.message, line: err.line });
    }
  }
  return { prompts, problems };
}

/** Returns a path for messages. The path is relative to the working directory, so that terminals and editors can open the file. */
export function showPath(root: string, path: string): string {
  return relative(process.cwd(), join(root, ...path.split('/')));
}

/** Returns a path for messages, followed by the line if it is known. */
export function showPlace(root: string, { path, line }: Pick<LocalProblem, 'path' | 'line'>): string {
  return line === undefined ? showPath(root, path) : `${showPath(root, path)}:${line}`;
}

/** Finds the paths of the files of these prompts. For prompts without a file, returns the path that a new file would have. */
export function findPaths(names: Iterable<string>, { prompts }: LocalPrompts): Map<string, string> {
  const existing = new Map([...prompts].map(([name, { path }]) => [name, path]));
  return new Map([...existing, ...choosePaths(names, existing)]);
}

export async function writePrompt(root: string, path: string, text: string): Promise<void> {
  await assertNoLinks(root, path);
  await writeFileWhole(join(root, ...path.split('/')), text);
}

/** Removes a file, and folders that become empty. */
export async function removePrompt(root: string, path: string): Promise<void> {
  await assertNoLinks(root, path);
  const parts = path.split('/');
  await rm(join(root, ...parts), { force: true });
  for (let depth = parts.length - 1; depth > 0; depth -= 1) {
    const isRemoved = await rmdir(join(root, ...parts.slice(0, depth))).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

async function readPrompt(root: string, path: string): Promise<LocalPrompt> {
  const file = join(root, ...path.split('/'));
  const { size } = await stat(file);
  if (size > maxFileBytes) throw new FileProblem(`The file is too large for a prompt (${size} bytes)`);
  const text = decode(await readFile(file));
  // The module is imported when the first file is read, because the YAML library takes longer to load than all other modules.
  const { parsePromptFile } = await import('./prompt-file.ts');
  const parsed = parsePromptFile(text);
  const name = parsed.name ?? nameOfPath(path);
  if (name === undefined) throw new FileProblem('The prompt name cannot be read from the path. Add the key "name"');
  if (!isPathOf(path, name)) {
    const expected = choosePaths([name], new Map()).get(name) ?? path;
    throw new FileProblem(`The prompt is named "${name}". Move the file to ${showPath(root, expected)}, or change the key "name"`);
  }
  const problem = parsed.name === undefined ? findNameProblem(name) : undefined;
  if (problem) throw new FileProblem(`"${name}" is not a valid prompt name: ${problem}`);
  return { ...parsed, name, path, text, digest: digestContent(parsed.content) };
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileProblem('The file is not valid UTF-8');
  }
}

async function listFiles(root: string, below: string, problems: LocalProblem[]): Promise<string[]> {
  const entries = await readEntries(join(root, ...below.split('/')));
  const paths: string[] = [];
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    // Files whose names start with a dot are temporary files of this program or belong to other programs.
    if (entry.name.startsWith('.')) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isSymbolicLink()) {
      if (await isRelevantLink(join(root, ...path.split('/')))) {
        problems.push({ path, message: 'This is a symbolic link. Links are not followed. Put the file here instead' });
      }
    } else if (entry.isDirectory()) paths.push(...(await listFiles(root, path, problems)));
    else if (entry.isFile() && isPromptFile(entry.name)) paths.push(path);
  }
  return paths;
}

async function isRelevantLink(file: string): Promise<boolean> {
  if (extensions.some((extension) => file.endsWith(extension))) return true;
  return (await stat(file).catch(() => undefined))?.isDirectory() ?? false;
}

async function readEntries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return [];
    throw new CliError(`Cannot read ${folder}: ${messageOf(err)}`);
  }
}
