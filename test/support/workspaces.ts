import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Kysely } from 'kysely';
import type { MemberRole, Role } from '../../src/contract/roles.ts';
import { openSession } from '../../src/domain/accounts/sessions.ts';
import type { RequestActor } from '../../src/domain/actor.ts';
import type { Context } from '../../src/domain/context.ts';
import type { VerifiedProof } from '../../src/store/accounts/sessions.ts';
import { openDatabase } from '../../src/store/engine/open.ts';
import type { Database } from '../../src/store/tables.ts';
import type { TestAccount } from './client.ts';
import type { TestDatabase } from './engines.ts';
import { type Client, newClient } from './prompts.ts';
import type { Service } from './service.ts';

/** Uses a database directly while no service uses it, because only one process can use the embedded database's file. */
export async function withDatabase<T>({ env, dataDir }: TestDatabase, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const opened = await openDatabase({ dataDir, databaseUrl: env.DATABASE_URL });
  try {
    return await opened.runLong(work);
  } finally {
    await opened.close();
  }
}

/** Returns a member as authentication would find it. */
export function actorWith(workspaceId: string, role: Role, via: RequestActor['via'] = 'key'): RequestActor {
  const fields = { workspaceId, revision: 0, accountId: `u_${role}`, email: `${role}@example.com`, name: `The ${role}`, role };
  return via === 'key'
    ? { ...fields, via, key: 'ph_none', keySerial: 1 }
    : { ...fields, via, sessionId: `s_${role}`, keySerial: undefined };
}

/** Creates an account that is a member of the owner's workspace. */
export async function newMember(service: Service, owner: TestAccount, role: MemberRole): Promise<Client> {
  const member = await newClient(service);
  await service.ctx.store.memberships.put(owner.userId, member.userId, role);
  return member;
}

/** Returns the header with which a request acts in an account's workspace. */
export function inWorkspace({ userId }: Pick<TestAccount, 'userId'>): { headers: Record<string, string> } {
  return { headers: { 'promptharbor-workspace': userId } };
}

/** Returns the cookie of a new session, without the slow hashing of a sign-in. */
export async function openTestSession({ ctx }: Service, { userId }: Pick<TestAccount, 'userId'>): Promise<string> {
  const client = { address: '127.0.0.1', userAgent: undefined };
  const token = await openSession(ctx, { accountId: userId, client, verified: await getProof(ctx, userId) });
  return `promptharbor.session=${token}`;
}

/** Returns the credentials on which a new session depends, as if a sign-in had verified them. */
export async function getProof(ctx: Context, accountId: string): Promise<VerifiedProof> {
  const account = await ctx.store.accounts.findById(accountId);
  assert.ok(account);
  const twoFactor = await ctx.store.twoFactor.find(accountId);
  return { passwordHash: account.passwordHash, twoFactorConfirmedAt: twoFactor?.confirmedAt ?? null, hasPasskeys: false };
}

/** Counts the requests that reach a route handler. */
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
