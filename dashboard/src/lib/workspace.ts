import { queryOptions, useQuery } from '@tanstack/react-query';
import { includesRole, type Role } from '../../../src/contract/roles.ts';
import { call, listenForRefusals } from './api.ts';
import { currentWorkspaceId, useCurrentWorkspaceId } from './current-workspace.ts';
import { queryClient } from './query-client.ts';
import type { Workspace } from './types.ts';

/** The workspace that this tab works in, and what the user may do there. */
interface CurrentWorkspace {
  /** Undefined until it is loaded. */
  id: string | undefined;
  name: string;
  /** Whether it is the user's own, and not a team or the workspace of somebody else. */
  isOwn: boolean;
  /** Undefined until it is loaded, and if the user is not a member of it. */
  listed: Workspace | undefined;
  role: Role;
  /** The labels that only deployers and up may move. */
  protectedLabels: string[];
  /** The labels that move only to versions which have passed the cases of their prompt. */
  gatedLabels: string[];
}

/** All workspaces of the user, their own first. */
export const workspacesQuery = queryOptions({
  queryKey: ['own', 'workspaces'],
  queryFn: () => call('listWorkspaces', {}),
  select: ({ data }) => data,
});

/** The settings of the current workspace. */
export const settingsQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: () => call('getWorkspace', {}),
});

export function useWorkspace(): CurrentWorkspace {
  const currentId = useCurrentWorkspaceId();
  const { data: workspaces } = useQuery(workspacesQuery);
  const { data: settings } = useQuery(settingsQuery);
  const isOwn = currentId === undefined;
  const listed = workspaces?.find(({ id, kind, role }) => (isOwn ? kind === 'personal' && role === 'owner' : id === currentId));
  return {
    id: currentId ?? listed?.id,
    name: listed?.name ?? settings?.name ?? '',
    isOwn,
    listed,
    // Until it is loaded: nothing is offered that may be refused.
    role: isOwn ? 'owner' : (listed?.role ?? 'viewer'),
    protectedLabels: settings?.protectedLabels ?? [],
    gatedLabels: settings?.gatedLabels ?? [],
  };
}

/** Calls the listener when access to the current workspace has ended, and loads the role again after a request was refused for it. */
export function watchWorkspace(onLost: (workspaceId: string) => void): () => void {
  return listenForRefusals((error, workspaceId) => {
    if (error.code === 'forbidden') void refreshWorkspace();
    if (error.code === 'workspace_not_found' && workspaceId !== undefined && workspaceId === currentWorkspaceId()) onLost(workspaceId);
  });
}

/** How texts name a workspace: an account's own workspace has the name of a person. */
export function titleOf({ name, kind }: Pick<Workspace, 'name' | 'kind'>): string {
  return kind === 'team' ? name : `${name}’s workspace`;
}

/** Refetches the role, the members and the settings. */
export async function refreshWorkspace(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries(workspacesQuery),
    queryClient.invalidateQueries(settingsQuery),
    queryClient.invalidateQueries({ queryKey: ['members'] }),
  ]);
}

/** Whether the user may write prompts and versions, and move labels. */
export function mayEdit({ role }: Pick<CurrentWorkspace, 'role'>): boolean {
  return includesRole(role, 'editor');
}

/** Whether the user may move a label, which takes the role of a deployer if the label is protected. */
export function mayMove({ role, protectedLabels }: Pick<CurrentWorkspace, 'role' | 'protectedLabels'>, label: string): boolean {
  return includesRole(role, protectedLabels.includes(label) ? 'deployer' : 'editor');
}

/** Whether the user may change members, service accounts and protected labels. */
export function mayManage({ role }: Pick<CurrentWorkspace, 'role'>): boolean {
  return includesRole(role, 'admin');
}

/** A list of labels for which a rule holds in every prompt. */
export type LabelRule = 'protectedLabels' | 'gatedLabels';

/** Makes a rule hold for a label, or ends that. */
export async function setLabelRule(rule: LabelRule, label: string, holds: boolean): Promise<void> {
  // Read again, because another admin may have changed the list.
  const { [rule]: labels } = await queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 });
  const others = labels.filter((each) => each !== label);
  await call('updateWorkspace', { body: { [rule]: holds ? [...others, label] : others } });
  await queryClient.invalidateQueries(settingsQuery);
}
