import type { Workspace } from '../../contract/workspaces.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';

/** Lists the workspaces in which the actor's account can act, its own first. A service account has no workspace of its own. */
export async function listWorkspaces(ctx: WithStore, { accountId: id, workspaceId, name, email }: Actor): Promise<Workspace[]> {
  const joined = await ctx.store.memberships.listJoined(id);
  const own: Workspace[] = workspaceId === id ? [{ id, name, role: 'owner', owner: { name, email } }] : [];
  return [
    ...own,
    ...joined.map(({ email: ownerEmail, ...workspace }) => ({ ...workspace, owner: { name: workspace.name, email: ownerEmail } })),
  ];
}
