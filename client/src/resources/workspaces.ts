import type { Caller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import type {
  GetStatisticsQuery,
  ListMembersQuery,
  MemberChange,
  NewInvitation,
  NewServiceAccount,
  NewWorkspace,
  WorkspaceChange,
  WorkspaceRename,
} from '../types.ts';

/** `ph.workspaces`: the workspaces that the account can act in. */
export function createWorkspaces({ call }: Caller) {
  return {
    list: (options?: RequestOptions) => call('listWorkspaces', {}, options),
    /** Creates a team workspace, which the account owns. */
    create: (body: NewWorkspace, options?: RequestOptions) => call('createWorkspace', { body }, options),
    rename: (id: string, body: WorkspaceRename, options?: RequestOptions) => call('renameWorkspace', { path: { id }, body }, options),
  };
}

/** `ph.workspace`: the one that requests act in. */
export function createWorkspace({ call }: Caller) {
  return {
    get: (options?: RequestOptions) => call('getWorkspace', {}, options),
    update: (body: WorkspaceChange, options?: RequestOptions) => call('updateWorkspace', { body }, options),
  };
}

/** `ph.members`: people and service accounts of the workspace. */
export function createMembers({ call, list }: Caller) {
  return {
    list: (query: ListMembersQuery = {}, options?: RequestOptions) => list('listMembers', { query }, options),
    update: (userId: string, body: MemberChange, options?: RequestOptions) => call('changeMember', { path: { userId }, body }, options),
    remove: (userId: string, options?: RequestOptions) => call('removeMember', { path: { userId } }, options),
    invite: (body: NewInvitation, options?: RequestOptions) => call('inviteMember', { body }, options),
    removeInvitation: (id: string, options?: RequestOptions) => call('removeInvitation', { path: { id } }, options),
    /** Who invites to what. */
    getInvitation: (token: string, options?: RequestOptions) => call('getInvitation', { path: { token } }, options),
    /** An account for a program. Its key is shown only in this response. */
    createServiceAccount: (body: NewServiceAccount, options?: RequestOptions) => call('createServiceAccount', { body }, options),
    resetServiceAccountKey: (userId: string, options?: RequestOptions) => call('resetServiceAccountKey', { path: { userId } }, options),
  };
}

/** `ph.stats` */
export function createStats({ call }: Caller) {
  return { get: (query: GetStatisticsQuery = {}, options?: RequestOptions) => call('getStatistics', { query }, options) };
}

/** `ph.health`: of the service, without a key. */
export function createHealth({ call }: Caller) {
  return {
    /** The process runs. */
    live: (options?: RequestOptions) => call('health', {}, options),
    /** The database responds. */
    ready: (options?: RequestOptions) => call('readiness', {}, options),
    /** The description of the API. */
    openapi: (options?: RequestOptions) => call('openapi', {}, options),
  };
}
