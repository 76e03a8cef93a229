import { relative, resolve } from 'node:path';
import { CliError, exitCodes } from '../errors.ts';
import { findPaths, type LocalPrompts } from '../files/folder.ts';
import type { Project } from '../files/project.ts';
import { toLine } from '../terminal.ts';

/**
 * Selects the items that an argument names, or that are in a folder that it names. An argument is a name or, if no item has that name, the
 * path of a file or folder, as version control hooks pass it.
 */
export function selectItems<T extends { name: string }>(
  items: T[],
  args: string[],
  { project: { root, folder }, local }: { project: Project; local: LocalPrompts },
): T[] {
  if (args.length === 0) return items;
  const paths = findPaths(
    items.map(({ name }) => name),
    local,
  );
  const selectArgument = (arg: string): T[] => {
    const wanted = arg.normalize('NFC').replace(/\/+$/, '');
    const named = items.filter(({ name }) => isAtOrBelow(name, wanted));
    if (named.length > 0) return named;
    const file = resolve(arg);
    const path = file === root ? '' : relative(folder, file).replaceAll('\\', '/');
    const found = items.filter(({ name }) => path === '' || isAtOrBelow(paths.get(name) ?? '', path));
    // A file that cannot be read has no name by which it could be found.
    if (found.length > 0 || local.problems.some((problem) => isAtOrBelow(problem.path, path))) return found;
    throw new CliError(`There is no prompt or folder "${toLine(arg)}", neither in the files nor on the service.`, exitCodes.notFound);
  };
  const selected = new Set(args.flatMap(selectArgument));
  return items.filter((item) => selected.has(item));
}

function isAtOrBelow(name: string, wanted: string): boolean {
  return name === wanted || name.startsWith(`${wanted}/`);
}
