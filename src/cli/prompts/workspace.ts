import type { PromptHarbor } from '../../../client/src/client.ts';
import type { Workspace } from '../../contract/workspaces.ts';
import { type Input, textOf } from '../command.ts';
import { CliError, exitCodes } from '../errors.ts';
import { findProject } from '../files/project.ts';

/** The workspace that requests of the client act in. */
export async function getWorkspace(ph: PromptHarbor, input: Input): Promise<Workspace> {
  const id = textOf(input, 'workspace') ?? (process.env.PROMPTHARBOR_WORKSPACE || findProject().settings?.workspace);
  const { data } = await ph.workspaces.list();
  const workspace = id === undefined ? data[0] : data.find((candidate) => candidate.id === id);
  if (!workspace) throw new CliError(`There is no workspace ${id}, or you are not a member of it.`, exitCodes.notFound);
  return workspace;
}
