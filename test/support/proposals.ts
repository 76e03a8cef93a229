import assert from 'node:assert/strict';
import type { NewChange, Proposal } from '../../src/contract/proposals.ts';
import type { MemberRole } from '../../src/contract/roles.ts';
import { callFromPage } from './browser.ts';
import type { ApiResponse } from './client.ts';
import { type Client, newClient, pathOf } from './prompts.ts';
import type { Service } from './service.ts';
import { inWorkspace, newMember, openTestSession } from './workspaces.ts';

/** A member of a workspace, in the dashboard and with an API key. */
export interface Person {
  client: Client;
  userId: string;
  /** Sends a request from the dashboard. */
  page(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** Sends a request with the API key. */
  api(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  review(proposal: Proposal, verdict?: string): Promise<ApiResponse>;
  apply(proposal: Proposal): Promise<ApiResponse>;
}

/** Creates a workspace in which moving `production` requires a proposal, and a prompt whose version 1 is in production. */
export async function newTeam(service: Service, rule: object = { approvals: 1 }) {
  const client = await newClient(service);
  const owner = await toPerson(service, client, client);
  await client.create({ name: 'greet', template: 'one', labels: ['production'] });
  await client.save('greet', { template: 'two' });
  assert.equal((await client.call('PATCH', '/api/workspace', { labelRules: { production: rule } })).status, 200);
  const join = async (role: MemberRole) => toPerson(service, await newMember(service, client, role), client);
  /** Returns the version that callers of `production` get, if there is one. */
  const live = async (name = 'greet') => ((await client.call('GET', pathOf(name))).body as { version?: number }).version;
  return { client, owner, join, live };
}

export async function propose(by: Person, change: Partial<NewChange> = {}, more: object = {}): Promise<Proposal> {
  const changes = [{ prompt: 'greet', label: 'production', ...(change.candidate || change.release ? {} : { version: 2 }), ...change }];
  const response = await by.api('POST', '/api/proposals', { changes, ...more });
  assert.equal(response.status, 201, response.text);
  return response.body as unknown as Proposal;
}

async function toPerson(service: Service, client: Client, workspace: Client): Promise<Person> {
  const cookie = await openTestSession(service, client);
  const there = inWorkspace(workspace);
  const page = (method: string, path: string, body?: unknown) =>
    callFromPage(service, method, path, { cookie, ...there, ...(body !== undefined && { body }) });
  const load = async ({ id }: Proposal) => (await page('GET', `/api/proposals/${id}`)).body as unknown as Proposal;
  return {
    client,
    userId: client.userId,
    page,
    api: (method, path, body) => client.call(method, path, body, there),
    review: async (proposal, verdict = 'approve') =>
      page('POST', `/api/proposals/${proposal.id}/reviews`, { verdict, revision: (await load(proposal)).revision, text: 'Seen' }),
    apply: async (proposal) => page('POST', `/api/proposals/${proposal.id}/apply`, { revision: (await load(proposal)).revision }),
  };
}
