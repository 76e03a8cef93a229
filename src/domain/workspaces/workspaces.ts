import type { Workspace } from '../../contract/workspaces.ts';
import { AppError } from '../../errors.ts';
import { isTeam } from '../../store/accounts/team-ids.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { isServiceAccount } from '../accounts/own-account.ts';
import type { Actor, Client } from '../actor.ts';
import { toStorable } from '../ids.ts';
import { updateWorkspace } from './workspace-settings.ts';

/** Lists the workspaces in which the actor's account can act, its own first. A service account has no workspace of its own. */
export async function listWorkspaces(ctx: WithStore, { accountId, workspaceId, name, email }: Actor): Promise<Workspace[]> {
  const joined = await ctx.store.memberships.listJoined(accountId);
  const others = joined.map(({ ownerName, ownerEmail, ...workspace }): Workspace => {
    return { ...workspace, kind: kindOf(workspace.id), shared: true, owner: { name: ownerName, email: ownerEmail } };
  });
  if (workspaceId !== accountId) return others;
  const shared = await ctx.store.memberships.existIn(accountId);
  return [{ id: accountId, name, kind: 'personal', shared, role: 'owner', owner: { name, email } }, ...others];
}

/** Renames one of the actor's workspaces. */
export async function renameWorkspace(
  ctx: WithAudit,
  actor: Actor,
  { id, name, client }: { id: string; name: string; client: Client },
): Promise<Workspace> {
  const settings = await updateWorkspace(ctx, inWorkspace(actor, id), { name, client });
  const workspaces = await listWorkspaces(ctx, id === actor.accountId ? { ...actor, name: settings.name } : actor);
  const renamed = workspaces.find((workspace) => workspace.id === id);
  if (!renamed) throw new AppError('workspace_not_found');
  return renamed;
}

/**
 * Returns the actor of a request about the caller's account, in the workspace that the path names. `changeWorkspace` reads the role there,
 * and throws if the account has no role.
 */
export function inWorkspace(actor: Actor, id: string): Actor {
  // The id of an account is also the id of its own workspace, but a service account has no workspace of its own.
  if (id === actor.accountId && isServiceAccount(actor)) throw new AppError('workspace_not_found');
  return { ...actor, workspaceId: toStorable(id) };
}

export function kindOf(workspaceId: string): Workspace['kind'] {
  return isTeam(workspaceId) ? 'team' : 'personal';
}
