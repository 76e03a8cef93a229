import { queryOptions, useQuery } from '@tanstack/react-query';
import { includesRole, type Role } from '../../../src/contract/roles.ts';
import { call, listenForRefusals } from './api.ts';
import { currentWorkspaceId, useCurrentWorkspaceId } from './current-workspace.ts';
import { queryClient } from './query-client.ts';
import type { ProposalRule, Workspace } from './types.ts';

/** The workspace in which this tab works, and the user's permissions there. */
export interface CurrentWorkspace {
  /** The id of the workspace. Undefined until the workspace is loaded. */
  id: string | undefined;
  name: string;
  /** Whether this is the user's own workspace, rather than a team or someone else's workspace. */
  isOwn: boolean;
  /** The workspace in the list of the user's workspaces. Undefined until the list is loaded, and also if the user is not a member. */
  listed: Workspace | undefined;
  role: Role;
  /** The labels that only deployers, admins and the owner may move. */
  protectedLabels: string[];
  /** The labels that move only to versions that have passed the test cases of their prompt. */
  gatedLabels: string[];
  /** The rules of the labels that require proposals. */
  labelRules: Record<string, ProposalRule>;
}

/** All workspaces of the user, starting with their own. */
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
    // Until the role is loaded, no action is offered that the server may refuse.
    role: isOwn ? 'owner' : (listed?.role ?? 'viewer'),
    protectedLabels: settings?.protectedLabels ?? [],
    gatedLabels: settings?.gatedLabels ?? [],
    labelRules: settings?.labelRules ?? {},
  };
}

/**
 * Calls the listener when the user has lost access to the current workspace. Reloads the role after a request was refused because of the
 * role.
 */
export function watchWorkspace(onLost: (workspaceId: string) => void): () => void {
  return listenForRefusals((error, workspaceId) => {
    if (error.code === 'forbidden') void refreshWorkspace();
    // An error with details concerns the workspace to which a prompt was to be copied.
    if (error.code !== 'workspace_not_found' || error.details.length > 0) return;
    if (workspaceId !== undefined && workspaceId === currentWorkspaceId()) onLost(workspaceId);
  });
}

/** Returns the name of a workspace for use in a sentence. A personal workspace has the name of its owner. */
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

/** Returns whether the user may write prompts and versions, and move labels. */
export function mayEdit({ role }: Pick<CurrentWorkspace, 'role'>): boolean {
  return includesRole(role, 'editor');
}

/** Returns whether the user may move a label. A protected label requires the role of a deployer. */
export function mayMove({ role, protectedLabels }: Pick<CurrentWorkspace, 'role' | 'protectedLabels'>, label: string): boolean {
  return includesRole(role, protectedLabels.includes(label) ? 'deployer' : 'editor');
}

/** Returns whether the user may change members, service accounts and protected labels. */
export function mayManage({ role }: Pick<CurrentWorkspace, 'role'>): boolean {
  return includesRole(role, 'admin');
}

/** A list of labels to which a rule applies in every prompt. */
export type LabelRule = 'protectedLabels' | 'gatedLabels';

/** Makes a rule apply to a label, or stop applying to it. */
export async function setLabelRule(rule: LabelRule, label: string, holds: boolean): Promise<void> {
  // The list is read again, because another admin may have changed it.
  const { [rule]: labels } = await queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 });
  const others = labels.filter((each) => each !== label);
  await call('updateWorkspace', { body: { [rule]: holds ? [...others, label] : others } });
  await queryClient.invalidateQueries(settingsQuery);
}

/** Returns the rule of a label that requires proposals. */
export function findProposalRule({ labelRules }: Pick<CurrentWorkspace, 'labelRules'>, label: string): ProposalRule | undefined {
  return Object.hasOwn(labelRules, label) ? labelRules[label] : undefined;
}

/** Returns whether the user may move a label without a proposal by giving a reason. */
export function mayOverrideRule({ role }: Pick<CurrentWorkspace, 'role'>, { override }: ProposalRule): boolean {
  return override !== 'nobody' && includesRole(role, override);
}
