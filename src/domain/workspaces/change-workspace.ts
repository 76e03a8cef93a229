import type { AccountEvent, AccountEventDetail } from '../../contract/activity.ts';
import type { EventMember } from '../../contract/events.ts';
import { includesRole, type Role } from '../../contract/roles.ts';
import { AppError } from '../../errors.ts';
import type { WorkspaceStores } from '../../store/bound-stores.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { type Actor, type Client, credentialOf, toPerson } from '../actor.ts';

/**
 * Changes the actor's workspace in one transaction. Changes to a workspace run one at a time, and each reads the actor's credential and
 * role again. If two admins remove each other at the same time, only the first removal succeeds, because the second admin is no longer a
 * member. A key or session that has ended cannot change anything. `change` gets the current role. The accounts in `held` cannot change
 * before the transaction ends.
 */
export async function changeWorkspace<T>(
  ctx: WithStore,
  actor: Actor,
  required: Role,
  change: (stores: WorkspaceStores, role: Role) => Promise<T>,
  held: string[] = [],
): Promise<T> {
  const work = async (stores: WorkspaceStores) => {
    const role = await getCurrentRole(stores, actor);
    assertRole(role, required);
    return change(stores, role);
  };
  return ctx.store.changeWorkspace(actor.workspaceId, work, credentialOf(actor), held);
}

/** Throws `forbidden` if the role is too low. */
export function assertRole(role: Role, required: Role): void {
  const refusal = findRoleRefusal(role, required);
  if (refusal) throw refusal;
}

export function findRoleRefusal(role: Role, required: Role): AppError | undefined {
  if (includesRole(role, required)) return undefined;
  return new AppError('forbidden', { text: `You need the role "${required}" in this workspace. Your role is "${role}".` });
}

interface WorkspaceEvent {
  type: AccountEvent['type'];
  detail: AccountEventDetail;
  client: Client;
}

/** Records what the actor did in the workspace, under the id of the workspace. */
export function recordInWorkspace(ctx: WithAudit, actor: Actor, event: WorkspaceEvent): void {
  ctx.audit({ ...event, accountId: actor.workspaceId, by: toPerson(actor) });
}

/** Adds an event to the workspace's events, inside the transaction of the change. */
export async function addMemberEvent(
  { events }: Pick<WorkspaceStores, 'events'>,
  actor: Actor,
  { type, ...detail }: { type: `member.${'added' | 'changed' | 'removed'}`; member: EventMember; previousRole?: Role },
): Promise<void> {
  events.add({ type, at: new Date().toISOString(), by: toPerson(actor), prompt: null, detail: JSON.stringify(detail) });
}

/**
 * Returns the actor's current role, inside a transaction that has raised the workspace's revision. The role cannot change before that
 * transaction ends.
 */
export async function getCurrentRole(
  stores: Pick<WorkspaceStores, 'memberships'>,
  { workspaceId, accountId }: Pick<Actor, 'workspaceId' | 'accountId'>,
): Promise<Role> {
  if (workspaceId === accountId) return 'owner';
  const role = await stores.memberships.findRole(workspaceId, accountId);
  if (!role) throw new AppError('workspace_not_found');
  return role;
}

/** Ignores the error that a workspace does not exist. Use it for work that may still run after the workspace was deleted. */
export function ignoreDeletedWorkspace(err: unknown): undefined {
  if (!(err instanceof AppError) || err.code !== 'workspace_not_found') throw err;
}

/** Returns the id and name with which events of other accounts refer to the workspace. */
export async function describeWorkspace(
  { workspaceSettings }: Pick<WorkspaceStores, 'workspaceSettings'>,
  id: string,
): Promise<{ id: string; name: string }> {
  return { id, name: (await workspaceSettings.find(id))?.name ?? '' };
}
