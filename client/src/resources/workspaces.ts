import type { Caller } from '../http/caller.ts';
import type { CsvParameter } from '../http/csv-parameter.ts';
import type { RequestOptions } from '../http/request.ts';
import type {
  GetRunStatisticsQuery,
  GetStatisticsQuery,
  ListMembersQuery,
  ListWorkspaceActivityQuery,
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

/** `ph.workspace`: the workspace that requests act in. */
export function createWorkspace({ call }: Caller) {
  return {
    get: (options?: RequestOptions) => call('getWorkspace', {}, options),
    update: (body: WorkspaceChange, options?: RequestOptions) => call('updateWorkspace', { body }, options),
  };
}

/** `ph.activity`: the actions in the workspace, with the people who took them. */
export function createActivity({ list }: Caller) {
  return {
    /** Lists the entries that match, newest first. */
    list: (query: Omit<ListWorkspaceActivityQuery, 'format'> = {}, options?: RequestOptions) =>
      list('listWorkspaceActivity', { query }, options),
  };
}

/** `ph.members`: the people and service accounts of the workspace. */
export function createMembers({ call, list }: Caller) {
  return {
    list: (query: ListMembersQuery = {}, options?: RequestOptions) => list('listMembers', { query }, options),
    update: (userId: string, body: MemberChange, options?: RequestOptions) => call('changeMember', { path: { userId }, body }, options),
    remove: (userId: string, options?: RequestOptions) => call('removeMember', { path: { userId } }, options),
    invite: (body: NewInvitation, options?: RequestOptions) => call('inviteMember', { body }, options),
    removeInvitation: (id: string, options?: RequestOptions) => call('removeInvitation', { path: { id } }, options),
    /** Returns the invitation that a link belongs to. */
    getInvitation: (token: string, options?: RequestOptions) => call('getInvitation', { path: { token } }, options),
    /** Creates an account for a program. Its key is shown only in this response. */
    createServiceAccount: (body: NewServiceAccount, options?: RequestOptions) => call('createServiceAccount', { body }, options),
    resetServiceAccountKey: (userId: string, options?: RequestOptions) => call('resetServiceAccountKey', { path: { userId } }, options),
  };
}

/** `ph.stats`: statistics about the workspace's calls and model runs. */
export function createStats({ call }: Caller) {
  return {
    get: (query: Omit<GetStatisticsQuery, CsvParameter> = {}, options?: RequestOptions) => call('getStatistics', { query }, options),
    runs: (query: Omit<GetRunStatisticsQuery, CsvParameter> = {}, options?: RequestOptions) => call('getRunStatistics', { query }, options),
  };
}

/** `ph.health`: the state of the service. Requires no key. */
export function createHealth({ call }: Caller) {
  return {
    /** Checks that the process is running. */
    live: (options?: RequestOptions) => call('health', {}, options),
    /** Checks that the database responds. */
    ready: (options?: RequestOptions) => call('readiness', {}, options),
    /** Returns the OpenAPI description. */
    openapi: (options?: RequestOptions) => call('openapi', {}, options),
  };
}
