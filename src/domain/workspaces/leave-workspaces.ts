import type { ServicePerson } from '../../contract/people.ts';
import { AppError } from '../../errors.ts';
import type { WithAudit } from '../accounts/audit.ts';
import type { Actor, Client } from '../actor.ts';
import { ignoreDeletedWorkspace } from './change-workspace.ts';

/**
 * Ends the memberships of an account that is about to be deleted. Each membership ends in a separate transaction, together with its event,
 * so that no two workspaces are locked at once. If the work is interrupted, the account still exists, and deleting it again continues the
 * work. If the account owns team workspaces, throws before anything changes, because a team must not lose data when a person leaves.
 */
export async function leaveWorkspaces(
  ctx: WithAudit,
  { accountId, name }: Pick<Actor, 'accountId' | 'name'>,
  { by, client }: { by: ServicePerson | null; client: Client | undefined },
): Promise<void> {
  const owned = await ctx.store.memberships.listOwned(accountId);
  if (owned.length > 0) {
    const names = owned.map((workspace) => `“${workspace.name}”`).join(', ');
    throw new AppError('owns_workspaces', { text: `The account owns ${names}. Transfer or delete these team workspaces first` });
  }
  for (const { workspaceId } of await ctx.store.memberships.listOf([accountId])) {
    const role = await ctx.store
      .changeWorkspace(workspaceId, async ({ memberships, invitations, events }) => {
        const role = await memberships.findRole(workspaceId, accountId);
        if (!role) return undefined;
        if (role === 'owner') throw new AppError('owns_workspaces');
        await memberships.remove(workspaceId, accountId);
        await invitations.removeSentBy(workspaceId, accountId);
        const detail = JSON.stringify({ member: { userId: accountId, name, role } });
        events.add({ type: 'member.removed', at: new Date().toISOString(), by, prompt: null, detail });
        return role;
      })
      .catch(ignoreDeletedWorkspace);
    if (!role) continue;
    const member = { userId: accountId, name };
    ctx.audit({ type: 'member_left', accountId: workspaceId, ...(client && { client }), by: member, detail: { ...member, role } });
  }
}
