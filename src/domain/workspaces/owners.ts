import type { Member } from '../../contract/members.ts';
import { AppError } from '../../errors.ts';
import { isTeam } from '../../store/accounts/team-ids.ts';
import type { WithStore } from '../../store/store.ts';

interface Owner {
  member: Member & { email: string };
  emailVerified: boolean;
}

/** Returns the owner of a workspace: for a team workspace, one of its members, and otherwise the account to which the workspace belongs. */
export async function getOwner({ store }: WithStore, workspaceId: string): Promise<Owner> {
  const owner = isTeam(workspaceId) ? await findTeamOwner(store, workspaceId) : await findAccountOwner(store, workspaceId);
  if (!owner) throw new AppError('workspace_not_found');
  const { emailVerified, ...member } = owner;
  return { member: { ...member, kind: 'person', role: 'owner' }, emailVerified };
}

async function findTeamOwner({ memberships }: WithStore['store'], workspaceId: string) {
  const member = await memberships.findOwner(workspaceId);
  if (!member) return undefined;
  const { userId, name, email, joinedAt, emailVerifiedAt } = member;
  return { userId, name, email, joinedAt, emailVerified: emailVerifiedAt !== null };
}

async function findAccountOwner({ accounts }: WithStore['store'], userId: string) {
  const profile = await accounts.findProfile(userId);
  if (!profile) return undefined;
  const { name, email, createdAt: joinedAt, emailVerified } = profile;
  return { userId, name, email, joinedAt, emailVerified };
}
