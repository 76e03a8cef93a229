import assert from 'node:assert/strict';
import type { MemberRole } from '../../src/contract/roles.ts';
import type { Client as Origin, RequestActor } from '../../src/domain/actor.ts';
import { newId } from '../../src/domain/ids.ts';
import { digestToken, newToken } from '../../src/domain/secrets/tokens.ts';
import { signIn } from './client.ts';
import { type Client, newClient } from './prompts.ts';
import type { Service } from './service.ts';

export interface InvitationBody {
  id: string;
  email: string;
  role: string;
  invitedBy: { userId: string; name: string };
  createdAt: string;
  expiresAt: string;
  url: string;
  mailed: boolean;
}

export interface MemberBody {
  userId: string;
  name: string;
  email: string | null;
  kind: string;
  role: string;
  joinedAt: string;
  keyCreatedAt?: string;
  keyLastUsedAt?: string | null;
}

export interface MemberListBody {
  data: MemberBody[];
  invitations: InvitationBody[];
  nextCursor: string | null;
}

export const origin: Origin = { address: '127.0.0.1', userAgent: 'test' };

/** Invites someone to the client's workspace. The result includes the token of the link. */
export async function invite(owner: Client, email: string, role: MemberRole = 'editor'): Promise<InvitationBody & { token: string }> {
  const response = await owner.call('POST', '/api/members/invitations', { email, role });
  assert.equal(response.status, 201, response.text);
  const invitation = response.body as InvitationBody;
  return { ...invitation, token: invitation.url.split('/').at(-1) ?? '' };
}

/** Creates an account that is a member of the owner's workspace. */
export async function newMember(owner: Client, role: MemberRole): Promise<Client> {
  const member = await newClient(owner.service);
  const { changeWorkspace } = owner.service.ctx.store;
  await changeWorkspace(owner.userId, (stores) => stores.memberships.put(owner.userId, member.userId, role));
  return member;
}

export async function newServiceAccount(
  owner: Client,
  role: MemberRole = 'viewer',
): Promise<{ userId: string; token: string; name: string }> {
  const response = await owner.call('POST', '/api/members/service-accounts', { name: 'A program', role });
  assert.equal(response.status, 201, response.text);
  return response.body as { userId: string; token: string; name: string };
}

/** Returns an actor in the owner's workspace with this role. */
export function actIn(
  owner: Client,
  { userId, email, token }: Pick<Client, 'userId' | 'email' | 'token'>,
  role: RequestActor['role'],
): RequestActor {
  const fields = { workspaceId: owner.userId, revision: 0, accountId: userId, email, name: 'Test', role };
  return { ...fields, via: 'key', key: token, keySerial: 1 };
}

export function asOwner(owner: Client): RequestActor {
  return actIn(owner, owner, 'owner');
}

/** Opens a browser session for an account. */
export function openBrowser(client: Client): Promise<string> {
  return signIn(client.service, client);
}

/** Inserts an invitation, even one that the API would not allow. Returns the token of its link. */
export async function insertInvitation(
  { ctx }: Service,
  {
    workspaceId,
    email,
    role = 'editor',
    expiresAt = new Date(Date.now() + 60_000),
  }: {
    workspaceId: string;
    email: string;
    role?: MemberRole;
    expiresAt?: Date;
  },
): Promise<string> {
  const token = newToken();
  await ctx.store.invitations.insert(workspaceId, {
    id: newId('i'),
    email,
    role,
    tokenDigest: digestToken(token),
    invitedBy: workspaceId,
    invitedByName: 'Test',
    createdAt: new Date().toISOString(),
    expiresAt: expiresAt.toISOString(),
  });
  return token;
}

/** Returns the error code with which a promise is rejected, or undefined if it resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (err) {
    assert.ok(err instanceof Error && 'code' in err, String(err));
    return String(err.code);
  }
}
