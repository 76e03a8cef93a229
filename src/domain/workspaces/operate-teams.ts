import { maxMemberships } from '../../contract/limits.ts';
import { AppError } from '../../errors.ts';
import { isTeam } from '../../store/accounts/team-ids.ts';
import type { WithStore } from '../../store/store.ts';
import { tooManyMemberships } from '../../store/workspaces/teams.ts';
import type { WithAudit } from '../accounts/audit.ts';
import type { WithRemoval } from '../accounts/remove-accounts.ts';
import { toStorable } from '../ids.ts';
import type { WithMail } from '../mail/mail.ts';
import { mailNotification } from '../notifications/notify.ts';
import { mailFormerOwner } from './owner-mails.ts';
import { getOwner } from './owners.ts';
import { changeOwner, eraseTeam, finishDeletion } from './teams.ts';

interface Team {
  id: string;
  name: string;
  owner: { userId: string; name: string; email: string };
}

/** Returns a team workspace. Only the operator may look team workspaces up in this way. */
export async function findTeam(ctx: WithStore, id: string): Promise<Team> {
  const settings = isTeam(id) ? await ctx.store.workspaceSettings.find(toStorable(id)) : undefined;
  if (!settings) throw new AppError('workspace_not_found', { text: `There is no team workspace with the id ${id}` });
  const { userId, name, email } = (await getOwner(ctx, id)).member;
  return { id, name: settings.name, owner: { userId, name, email } };
}

/** Makes an account the owner of a team workspace. The former owner remains in the workspace as an admin. Both people are notified. */
export async function transferTeamByOperator(
  ctx: WithAudit & WithMail,
  { id, next }: { id: string; next: { userId: string; name: string } },
): Promise<{ id: string; name: string }> {
  await findTeam(ctx, id);
  const { former, previousRole, workspace, notification } = await ctx.store.changeWorkspace(
    id,
    async (stores) => {
      const former = await stores.memberships.findOwner(id);
      if (!former) throw new AppError('workspace_not_found');
      if (former.userId === next.userId) throw new AppError('already_member', { text: `${next.name} already owns the workspace` });
      const previousRole = await stores.memberships.findRole(id, next.userId);
      if (!previousRole && (await stores.memberships.countOf(next.userId)) >= maxMemberships) throw tooManyMemberships();
      const { userId, name } = former;
      return { former, previousRole, ...(await changeOwner(stores, { id, former: { userId, name }, next, previousRole, by: null })) };
    },
    undefined,
    [next.userId],
  );
  const change = { role: 'owner', ...(previousRole && { previousRole }) } as const;
  ctx.audit({ type: 'workspace_transferred', accountId: id, detail: { ...next, ...change } });
  ctx.audit({ type: 'role_changed', accountId: next.userId, detail: { workspace, ...change } });
  ctx.audit({ type: 'role_changed', accountId: former.userId, detail: { workspace, role: 'admin', previousRole: 'owner' } });
  mailNotification(ctx, notification);
  mailFormerOwner(ctx, { workspace, formerId: former.userId, ownerName: next.name });
  return workspace;
}

/** Deletes a team workspace with everything in it. */
export async function deleteTeamByOperator(ctx: WithRemoval & WithMail, id: string): Promise<void> {
  const { owner } = await findTeam(ctx, id);
  const deletion = await ctx.store.changeWorkspace(id, (stores) => eraseTeam(stores, id));
  finishDeletion(ctx, deletion, { ownerId: owner.userId });
}
