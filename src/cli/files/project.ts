import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CliError, messageOf } from '../errors.ts';

export const projectFileName = 'promptharbor.json';

/** The location of a project's prompts. */
export interface Project {
  /** The folder of `promptharbor.json` or, if there is no such file, the current folder. */
  root: string;
  /** The absolute path of the folder with the prompts. */
  folder: string;
  lockFile: string;
  /** The content of `promptharbor.json`, or undefined if there is none. */
  settings: ProjectSettings | undefined;
}

interface ProjectSettings {
  url?: string | undefined;
  workspace?: string | undefined;
  folder?: string | undefined;
}

/** Looks for `promptharbor.json` in the current folder and its parents. */
export function findProject(start = process.cwd()): Project {
  const root = findRoot(start);
  const settings = root === undefined ? undefined : readSettings(join(root, projectFileName));
  const folder = settings?.folder ?? 'prompts';
  return {
    root: root ?? start,
    folder: resolve(root ?? start, folder),
    lockFile: join(root ?? start, 'promptharbor.lock'),
    settings,
  };
}

/**
 * Returns the reason why a path cannot be the folder of the prompts, or undefined if it can. The folder must be inside the project, because
 * the settings may come from someone else.
 */
export function findFolderProblem(folder: string): string | undefined {
  const parts = folder.split(/[\\/]/);
  if (folder !== '' && !/^([\\/]|[a-z]:)/i.test(folder) && !parts.includes('..') && !folder.includes('\0')) return undefined;
  return 'must be a folder below promptharbor.json, such as "prompts"';
}

function findRoot(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, projectFileName))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function readSettings(file: string): ProjectSettings {
  let settings: unknown;
  try {
    settings = JSON.parse(readFileSync(file, 'utf8'));
  } catch (err) {
    throw new CliError(`${file} cannot be read: ${messageOf(err)}`);
  }
  const fields = typeof settings === 'object' && settings !== null && !Array.isArray(settings) ? settings : undefined;
  if (!fields) throw new CliError(`${file} must be a JSON object`);
  const result: Record<string, string> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (key === '$schema') continue;
    if (!['url', 'workspace', 'folder'].includes(key)) throw new CliError(`${file}: unknown key "${key}". Use url, workspace or folder.`);
    if (typeof value !== 'string') throw new CliError(`${file}: "${key}" must be a string`);
    result[key] = value;
  }
  const problem = result.folder === undefined ? undefined : findFolderProblem(result.folder);
  if (problem) throw new CliError(`${file}: "folder" ${problem}`);
  return result;
}
