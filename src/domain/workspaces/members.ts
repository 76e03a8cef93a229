import type { AccountEvent, AccountEventDetail } from '../../contract/activity.ts';
import type { Invitation } from '../../contract/invitations.ts';
import { defaultPageLimit, type PageQuery } from '../../contract/lists.ts';
import type { Member, MemberList } from '../../contract/members.ts';
import { includesRole, type MemberRole } from '../../contract/roles.ts';
import { AppError } from '../../errors.ts';
import { isTeam } from '../../store/accounts/team-ids.ts';
import type { WorkspaceStores } from '../../store/bound-stores.ts';
import type { WithStore } from '../../store/store.ts';
import type { MemberRecord } from '../../store/workspaces/memberships.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { removeSoon, type WithRemoval } from '../accounts/remove-accounts.ts';
import { type Actor, type Client, toPerson } from '../actor.ts';
import { decodeCursor, encodeCursor, invalidCursor, splitPage } from '../cursors.ts';
import { toStorable } from '../ids.ts';
import type { WithMail } from '../mail/mail.ts';
import { addNotification, mailNotification } from '../notifications/notify.ts';
import { addMemberEvent, assertRole, changeWorkspace, describeWorkspace, recordInWorkspace } from './change-workspace.ts';
import { recordRemovedInvitations, toInvitation } from './invitations.ts';
import { getOwner } from './owners.ts';

/** Lists a page of the members. For admins, the open invitations follow the members. */
export async function listMembers(ctx: WithStore, actor: Actor, query: PageQuery): Promise<MemberList> {
  const { limit = defaultPageLimit, cursor } = query;
  const [section, afterId = ''] = cursor === undefined ? [] : decodeCursor('members', 2, cursor);
  if (section !== undefined && section !== 'member' && section !== 'invitation') throw invalidCursor();
  const { workspaceId } = actor;
  const entries: Entry[] = section === undefined ? [{ id: '', member: (await getOwner(ctx, workspaceId)).member }] : [];
  if (section !== 'invitation') {
    const members = await ctx.store.memberships.list(workspaceId, { afterId, limit: limit + 1 });
    entries.push(...(await toMembers(ctx, members)).map((member) => ({ id: member.userId, member })));
  }
  if (entries.length <= limit && includesRole(actor.role, 'admin')) {
    const after = section === 'invitation' ? afterId : '';
    const invitations = await ctx.store.invitations.list(workspaceId, { afterId: after, limit: limit + 1 });
    entries.push(...invitations.map((record) => ({ id: record.id, invitation: toInvitation(record) })));
  }
  const { shown, last } = splitPage(entries, limit);
  return {
    data: shown.flatMap(({ member }) => member ?? []),
    invitations: shown.flatMap(({ invitation }) => invitation ?? []),
    nextCursor: last ? encodeCursor('members', [last.member ? 'member' : 'invitation', last.id]) : null,
  };
}

/** Changes the role of a member. The new role applies to every request after the response. */
export async function changeMember(
  ctx: WithAudit & WithMail,
  actor: Actor,
  { userId, role, client }: { userId: string; role: MemberRole; client: Client },
): Promise<Member> {
  const { workspaceId } = actor;
  const { before, removed, workspace, notification } = await changeWorkspace(ctx, actor, 'admin', async (stores) => {
    const before = await getMember(stores, actor, userId);
    const workspace = await describeWorkspace(stores, workspaceId);
    const isChanged = before.role !== role;
    if (isChanged) {
      await stores.memberships.put(workspaceId, userId, role);
      const member = { userId, name: before.name, role };
      await addMemberEvent(stores, actor, { type: 'member.changed', member, previousRole: before.role });
    }
    const removed = includesRole(role, 'admin') ? [] : await stores.invitations.removeSentBy(workspaceId, userId);
    const detail = { role, previousRole: before.role };
    const recipients = isChanged ? [userId] : [];
    const notification = await addNotification(stores, { kind: 'role_changed', workspace, by: toPerson(actor), detail, recipients });
    return { before, removed, workspace, notification };
  });
  mailNotification(ctx, notification);
  if (before.role !== role) {
    const change = { role, previousRole: before.role };
    recordInWorkspace(ctx, actor, { type: 'member_role_changed', detail: { userId, name: before.name, ...change }, client });
    recordForMember(ctx, actor, before, { type: 'role_changed', detail: { workspace, ...change } });
  }
  recordRemovedInvitations(ctx, actor, removed, client);
  const [member] = await toMembers(ctx, [{ ...before, role }]);
  if (!member) throw new AppError('member_not_found');
  return member;
}

/**
 * Removes a member from the workspace. The member may be the actor. A service account is deleted. The member's access ends before the
 * response.
 */
export async function removeMember(
  ctx: WithRemoval & WithMail,
  actor: Actor,
  { userId, client }: { userId: string; client: Client },
): Promise<void> {
  const { workspaceId } = actor;
  const isLeaving = userId === actor.accountId;
  const { member, removed, workspace, notification } = await changeWorkspace(ctx, actor, 'viewer', async (stores, role) => {
    if (!isLeaving) assertRole(role, 'admin');
    const member = await getMember(stores, actor, userId);
    // A service account must not delete itself, unless its role allows it to delete any service account.
    if (isService(member)) {
      assertRole(role, 'admin');
      await stores.serviceAccounts.delete(workspaceId, userId);
    } else {
      await stores.memberships.remove(workspaceId, userId);
    }
    const { name, role: lastRole } = member;
    await addMemberEvent(stores, actor, { type: 'member.removed', member: { userId, name, role: lastRole } });
    const removed = await stores.invitations.removeSentBy(workspaceId, userId);
    const workspace = await describeWorkspace(stores, workspaceId);
    const notification = await addNotification(stores, { kind: 'removed', workspace, by: toPerson(actor), recipients: [userId] });
    return { member, removed, workspace, notification };
  });
  mailNotification(ctx, notification);
  const { name, role } = member;
  recordInWorkspace(ctx, actor, { type: isLeaving ? 'member_left' : 'member_removed', detail: { userId, name, role }, client });
  recordForMember(ctx, actor, member, { type: isLeaving ? 'workspace_left' : 'removed_from_workspace', detail: { workspace, role } });
  recordRemovedInvitations(ctx, actor, removed, client);
  if (isService(member)) removeSoon(ctx, [userId]);
}

interface Entry {
  /** The id by which members are sorted. The owner's id is empty, because the owner comes first. */
  id: string;
  member?: Member;
  invitation?: Invitation;
}

/** Returns a member who can be changed or removed. The owner cannot be changed or removed. */
async function getMember(stores: WorkspaceStores, { workspaceId, accountId }: Actor, userId: string): Promise<MemberRecord> {
  const member = userId === workspaceId ? undefined : await stores.memberships.find(workspaceId, toStorable(userId));
  if (userId === workspaceId || member?.role === 'owner') {
    const ownTexts = isTeam(workspaceId)
      ? ' Transfer the workspace to another member first, or delete it.'
      : ' To delete the workspace, delete your account.';
    const instead = userId === accountId ? ownTexts : '';
    throw new AppError('forbidden', { text: `The owner of a workspace cannot be changed or removed.${instead}` });
  }
  if (!member) throw new AppError('member_not_found');
  return member;
}

/** Records an event in the activity of the person whom it concerns. */
function recordForMember(
  ctx: WithAudit,
  actor: Actor,
  member: MemberRecord,
  event: { type: AccountEvent['type']; detail: AccountEventDetail },
): void {
  if (!isService(member)) ctx.audit({ ...event, accountId: member.userId, by: toPerson(actor) });
}

async function toMembers(ctx: WithStore, records: MemberRecord[]): Promise<Member[]> {
  const lastUses = await ctx.store.statistics.findKeyUses(records.filter(isService).map(({ userId }) => userId));
  return records.map((record) => {
    const { userId, name, email, role, joinedAt, keyCreatedAt } = record;
    if (!isService(record)) return { userId, name, email, kind: 'person', role, joinedAt };
    return { userId, name, email: null, kind: 'service', role, joinedAt, keyCreatedAt, keyLastUsedAt: lastUses.get(userId) ?? null };
  });
}

function isService({ homeWorkspaceId }: MemberRecord): boolean {
  return homeWorkspaceId !== null;
}
