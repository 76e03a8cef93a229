/** Returns the deepest folder that contains all prompts, or an empty string if no folder does. */
export function findCommonFolder(names: string[]): string {
  const [first = '', ...others] = names.map(folderOf);
  let common = first;
  for (const folder of others) {
    while (common !== '' && folder !== common && !folder.startsWith(`${common}/`)) common = folderOf(common);
  }
  return common;
}

/** Returns the folder that contains a prompt or folder, or an empty string at the top level. */
export function folderOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')));
}

/** Returns the name of a prompt after a move. The folders between the base and the prompt are kept. */
export function toMovedName(name: string, { base, target }: { base: string; target: string }): string {
  const rest = base === '' ? name : name.slice(base.length + 1);
  return target === '' ? rest : `${target}/${rest}`;
}
