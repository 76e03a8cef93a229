import { maxMemberships } from '../../contract/limits.ts';
import { includesRole, type MemberRole, type Role } from '../../contract/roles.ts';
import { AppError } from '../../errors.ts';
import type { ProviderSettings } from '../../sign-in-settings.ts';
import type { WorkspaceStores } from '../../store/bound-stores.ts';
import { tooManyMemberships } from '../../store/workspaces/teams.ts';
import type { WithAudit } from '../accounts/audit.ts';
import type { Client } from '../actor.ts';
import type { WithProviders } from './providers.ts';

interface Decision {
  /** Whether a person with these groups may sign in. */
  isAllowed: boolean;
  /** The role in each workspace whose membership depends on the provider's groups. Null means that the person must not be a member. */
  roles: Map<string, MemberRole | null>;
}

/** Decides what a person with these groups may do. */
export function decideRoles({ groups }: ProviderSettings, names: string[] = []): Decision {
  if (!groups) return { isAllowed: true, roles: new Map() };
  const { roles: all, withoutGroup } = groups;
  const matching = all.filter(({ group }) => names.includes(group));
  const defaults = Array.isArray(withoutGroup) ? withoutGroup : [];
  const roles = new Map<string, MemberRole | null>([...all, ...defaults].map(({ workspace }) => [workspace, null]));
  for (const { workspace, role } of matching.length > 0 ? matching : defaults) {
    const other = roles.get(workspace);
    if (!other || includesRole(role, other)) roles.set(workspace, role);
  }
  return { isAllowed: matching.length > 0 || withoutGroup !== 'refuse', roles };
}

interface Person {
  userId: string;
  name: string;
}

/**
 * Gives an account exactly the roles that its groups decide. Roles are removed first. Owners keep their role, because every workspace needs
 * one. A role that cannot be given, because the workspace is missing or full, is reported to the operator and does not prevent the sign-in.
 */
export async function applyRoles(
  ctx: WithAudit & WithProviders,
  person: Person,
  { roles, provider, client }: { roles: Decision['roles']; provider: string; client: Client },
): Promise<void> {
  const ordered = [...roles].sort(([, one], [, other]) => Number(one !== null) - Number(other !== null));
  for (const [workspaceId, role] of ordered) {
    const current = await ctx.store.memberships.findRole(workspaceId, person.userId);
    if (workspaceId === person.userId || current === 'owner' || (current ?? null) === role) continue;
    try {
      const work = (stores: WorkspaceStores) => changeRole(stores, person, { workspaceId, role });
      const previousRole = await ctx.store.changeWorkspace(workspaceId, work, undefined, [person.userId]);
      recordChange(ctx, person, { workspaceId, role, previousRole, client });
    } catch (err) {
      if (!(err instanceof AppError) || (err.code !== 'workspace_not_found' && err.code !== 'quota_exceeded')) throw err;
      const reason = err.code === 'workspace_not_found' ? 'There is no such workspace' : err.message;
      ctx.providers.onRefusedRole(provider, `${person.userId} in ${workspaceId}: ${reason}`);
    }
  }
}

/** Changes the role inside the transaction of the workspace, and returns the previous role. */
async function changeRole(
  stores: WorkspaceStores,
  { userId, name }: Person,
  { workspaceId, role }: { workspaceId: string; role: MemberRole | null },
): Promise<Role | undefined> {
  const previousRole = await stores.memberships.findRole(workspaceId, userId);
  if (previousRole === 'owner' || (previousRole ?? null) === role) return previousRole;
  if (role === null) await stores.memberships.remove(workspaceId, userId);
  else {
    if (!previousRole) {
      await stores.assertMemberQuota();
      if ((await stores.memberships.countOf(userId)) >= maxMemberships) throw tooManyMemberships();
    }
    await stores.memberships.put(workspaceId, userId, role);
  }
  if (role === null || !includesRole(role, 'admin')) await stores.invitations.removeSentBy(workspaceId, userId);
  const type = role === null ? 'removed' : previousRole ? 'changed' : 'added';
  const member = { userId, name, role: role ?? previousRole };
  const detail = JSON.stringify({ member, ...(type === 'changed' && { previousRole }) });
  stores.events.add({ type: `member.${type}`, at: new Date().toISOString(), by: null, prompt: null, detail });
  return previousRole;
}

function recordChange(
  ctx: WithAudit,
  person: Person,
  change: { workspaceId: string; role: MemberRole | null; previousRole: Role | undefined; client: Client },
): void {
  const { workspaceId: accountId, role, previousRole, client } = change;
  if (role === null) {
    ctx.audit({ type: 'member_removed', accountId, client, detail: { ...person, ...(previousRole && { role: previousRole }) } });
  } else {
    const type = previousRole ? 'member_role_changed' : 'member_joined';
    ctx.audit({ type, accountId, client, detail: { ...person, role, ...(previousRole && { previousRole }) } });
  }
}
