import type { PromptHarbor } from '../../../client/src/client.ts';
import type { Workspace } from '../../contract/workspaces.ts';
import { hasOption, type Input, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { CliError, exitCodes } from '../errors.ts';
import { note, printJson } from '../terminal.ts';
import { noteWarnings } from './warnings.ts';

/** Copies a prompt to another workspace, or moves it there. */
export async function copy(input: Input): Promise<void> {
  const [name = ''] = input.args;
  const ph = await connect(input);
  const { id } = await getTarget(ph, textOf(input, 'to') ?? '');
  const newName = textOf(input, 'name');
  const move = hasOption(input, 'move');
  const body = { workspace: id, move, ...(newName !== undefined && { name: newName }) };
  const copied = await ph.prompts.copy(name, body, { strict: hasOption(input, 'strict') });
  if (hasOption(input, 'json')) return printJson(copied);
  note(`${name} was ${move ? 'moved' : 'copied'} to ${copied.name} in "${copied.workspace.name}".`);
  noteWarnings(copied.name, copied.warnings);
}

/** Finds a workspace by its id, or by its name if the name is unique. */
async function getTarget(ph: PromptHarbor, wanted: string): Promise<Workspace> {
  const { data } = await ph.workspaces.list();
  const [named, ...others] = data.filter(({ name }) => name === wanted);
  const found = data.find(({ id }) => id === wanted) ?? (others.length === 0 ? named : undefined);
  if (found) return found;
  if (named)
    throw new CliError(`Several workspaces have the name "${wanted}". Use the id: run "promptharbor workspaces".`, exitCodes.usage);
  throw new CliError(
    `The workspace ${wanted} does not exist, or you are not a member of it. Run "promptharbor workspaces".`,
    exitCodes.notFound,
  );
}
