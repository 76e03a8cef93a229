import { getAccountByEmail } from '../../domain/accounts/accounts.ts';
import type { Context } from '../../domain/context.ts';
import { deleteTeamByOperator, findTeam, transferTeamByOperator } from '../../domain/workspaces/operate-teams.ts';
import { type Options, textOf } from '../command.ts';
import { CliError, exitCodes } from '../errors.ts';
import { count } from '../terminal.ts';
import { requireText, type TaskOutput } from './task.ts';

const pageSize = 500;

export async function listTeams({ store }: Context, _input: Options, { print }: TaskOutput): Promise<void> {
  for (let afterId = ''; ; ) {
    const page = await store.teams.list(afterId, pageSize);
    for (const { id, name, createdAt, ownerEmail, members } of page) {
      await print([id, name, createdAt, `owner ${ownerEmail ?? 'unknown'}`, count(members, 'member')].join('\t'));
    }
    const last = page.at(-1);
    if (!last) return;
    afterId = last.id;
  }
}

/** Makes an account the owner of a team workspace, for example because the former owner has left. The account need not be a member. */
export async function transferTeamTask(ctx: Context, input: Options, { print }: TaskOutput): Promise<void> {
  const { id: userId, email, name } = await getAccountByEmail(ctx, requireText(input, 'email'));
  const workspace = await transferTeamByOperator(ctx, { id: requireText(input, 'id'), next: { userId, name } });
  await print(`${email} is now the owner of "${workspace.name}". The former owner is now an admin of the workspace.`);
}

/** Lists what is deleted with the workspace. Deletes it only with `--confirm`, because a deletion cannot be undone. */
export async function deleteTeamTask(ctx: Context, input: Options, { print }: TaskOutput): Promise<void> {
  const team = await findTeam(ctx, requireText(input, 'id'));
  const confirm = textOf(input, 'confirm');
  await print(`${team.id}\t${team.name}\towner ${team.owner.email}`);
  await print('Deleting the workspace deletes its prompts, versions, statistics, webhooks, model connections and service accounts.');
  if (confirm === undefined) return print(`Nothing was deleted. To delete the workspace, add --confirm ${team.id}`);
  if (confirm.trim() !== team.id) throw new CliError(`--confirm is not ${team.id}. Nothing was deleted.`, exitCodes.usage);
  await deleteTeamByOperator(ctx, team.id);
  await print('The workspace was deleted.');
}
