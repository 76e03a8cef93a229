import { relative, resolve } from 'node:path';
import { CliError, exitCodes } from '../errors.ts';
import { nameOfPath } from '../files/file-names.ts';
import { findPaths, type LocalProblem, type LocalPrompts } from '../files/folder.ts';
import type { Project } from '../files/project.ts';
import { toLine } from '../terminal.ts';

/**
 * Selects the items that the arguments name. An argument that names a folder selects all items in it. If no item has the name, the argument
 * is the path of a file or folder, because hooks of version control pass paths.
 */
export function selectItems<T extends { name: string }>(
  items: T[],
  args: string[],
  { project, local }: { project: Project; local: LocalPrompts },
): T[] {
  if (args.length === 0) return items;
  const paths = findPaths(
    items.map(({ name }) => name),
    local,
  );
  const selectArgument = (arg: string): T[] => {
    const { wanted, path } = readArgument(arg, project);
    const named = items.filter(({ name }) => isAtOrBelow(name, wanted));
    if (named.length > 0) return named;
    const found = items.filter(({ name }) => isInPath(paths.get(name) ?? '', path));
    if (found.length > 0 || selectProblems(local.problems, [arg], project).length > 0) return found;
    throw new CliError(`There is no prompt or folder "${toLine(arg)}" in the files or on the service.`, exitCodes.notFound);
  };
  const selected = new Set(args.flatMap(selectArgument));
  return items.filter((item) => selected.has(item));
}

/** Selects the unreadable files that the arguments name. The name of the prompt in such a file is known only from the path. */
export function selectProblems(problems: LocalProblem[], args: string[], project: Project): LocalProblem[] {
  if (args.length === 0) return problems;
  const wantedArgs = args.map((arg) => readArgument(arg, project));
  return problems.filter((problem) =>
    wantedArgs.some(({ wanted, path }) => isAtOrBelow(nameOfPath(problem.path) ?? '', wanted) || isInPath(problem.path, path)),
  );
}

/** Returns the two meanings of an argument: a name, or a path relative to the folder of the prompts. */
function readArgument(arg: string, { root, folder }: Project): { wanted: string; path: string } {
  const file = resolve(arg);
  return {
    wanted: arg.normalize('NFC').replace(/\/+$/, ''),
    path: file === root ? '' : relative(folder, file).replaceAll('\\', '/'),
  };
}

function isAtOrBelow(name: string, wanted: string): boolean {
  return name === wanted || name.startsWith(`${wanted}/`);
}

/** Returns whether a path is in a folder. The empty path is the folder of all prompts. */
function isInPath(path: string, folder: string): boolean {
  return folder === '' || isAtOrBelow(path, folder);
}
