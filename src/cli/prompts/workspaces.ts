import type { Workspace } from '../../contract/workspaces.ts';
import { hasOption, type Input, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { formatTable, print, printJson } from '../terminal.ts';

export async function workspaces(input: Input): Promise<void> {
  const ph = await connect(input);
  const name = textOf(input, 'create');
  const created = name === undefined ? undefined : await ph.workspaces.create({ name });
  if (hasOption(input, 'json')) return printJson(created ?? (await ph.workspaces.list()).data);
  if (created) return print(`The workspace "${created.name}" was created. Use it with --workspace ${created.id}`);
  print(formatTable([['ID', 'NAME', 'KIND', 'ROLE', 'OWNER'], ...(await ph.workspaces.list()).data.map(toRow)]));
}

function toRow({ id, name, kind, role, owner }: Workspace): string[] {
  return [id, name, kind, role, `${owner.name} <${owner.email}>`];
}
