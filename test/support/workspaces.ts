import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { MemberRole } from '../../src/contract/roles.ts';
import { openSession } from '../../src/domain/accounts/sessions.ts';
import type { TestAccount } from './client.ts';
import { type Client, newClient } from './prompts.ts';
import type { Service } from './service.ts';

/** A new account that is a member of the owner's workspace. */
export async function newMember(service: Service, owner: TestAccount, role: MemberRole): Promise<Client> {
  const member = await newClient(service);
  await service.ctx.store.memberships.put(owner.userId, member.userId, role);
  return member;
}

/** The header that makes a request act in an account's workspace. */
export function inWorkspace({ userId }: Pick<TestAccount, 'userId'>): { headers: Record<string, string> } {
  return { headers: { 'promptharbor-workspace': userId } };
}

/** The cookie of a new session, without the slow hashing of a sign-in. */
export async function openTestSession({ ctx }: Service, { userId }: Pick<TestAccount, 'userId'>): Promise<string> {
  const token = await openSession(ctx, { accountId: userId, client: { address: '127.0.0.1', userAgent: undefined } });
  return `promptharbor.session=${token}`;
}

/** How many requests reach a route handler. */
export async function countHandled(requests: () => Promise<unknown>): Promise<number> {
  let handled = 0;
  const count = () => {
    handled += 1;
  };
  const channel = 'tracing:fastify.request.handler:start';
  subscribe(channel, count);
  try {
    await requests();
  } finally {
    unsubscribe(channel, count);
  }
  return handled;
}
