import assert from 'node:assert/strict';
import type { CopiedPrompt } from '../../src/contract/copies.ts';
import type { HistoryEntry } from '../../src/contract/history.ts';
import type { Role } from '../../src/contract/roles.ts';
import type { Workspace } from '../../src/contract/workspaces.ts';
import type { ApiResponse } from './client.ts';
import { type Client, clientOf, pathOf, readAll } from './prompts.ts';

/** A new team workspace, with clients for its members. */
export interface Team {
  id: string;
  /** The client of the owner, acting in the team. */
  owner: Client;
  as(member: Client): Client;
  join(member: Client, role: Role): Promise<void>;
}

export async function newTeam(owner: Client, name = 'Support'): Promise<Team> {
  const response = await owner.call('POST', '/api/workspaces', { name });
  assert.equal(response.status, 201, response.text);
  const { id } = response.body as Workspace;
  const as = (member: Client) => clientOf(owner.service, member, { headers: { 'promptharbor-workspace': id } });
  const join = (member: Client, role: Role) =>
    owner.service.ctx.store.changeWorkspace(id, ({ memberships }) => memberships.put(id, member.userId, role));
  return { id, owner: as(owner), as, join };
}

export function copy(client: Client, name: string, body: object, query = ''): Promise<ApiResponse> {
  return client.call('POST', pathOf(name, `/copy${query}`), body);
}

/** Copies a prompt, which must succeed. */
export async function mustCopy(client: Client, name: string, body: object): Promise<CopiedPrompt> {
  const response = await copy(client, name, body);
  assert.equal(response.status, 201, response.text);
  return response.body as CopiedPrompt;
}

/** Reads the whole history of a prompt, newest entry first. */
export function readHistory(client: Client, name: string): Promise<HistoryEntry[]> {
  return readAll<HistoryEntry>(client, pathOf(name, '/history?limit=100'));
}

/** Counts the rows of a workspace in the tables of prompts, including rows that nobody can see. */
export async function countPrompts(client: Client, workspaceId: string): Promise<number> {
  const usage = await client.service.ctx.store.changePrompts(workspaceId, async ({ prompts }) => {
    const visible = await prompts.list(workspaceId, { sort: 'name', limit: 1000 });
    const hidden = await prompts.list(workspaceId, { sort: 'name', limit: 1000, deleted: true });
    return visible.length + hidden.length;
  });
  return usage;
}
