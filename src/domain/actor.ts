import type { ServicePerson, Via } from '../contract/people.ts';
import type { Role } from '../contract/roles.ts';
import type { AccountRecord } from '../store/accounts/accounts.ts';
import type { Credential } from '../store/accounts/credentials.ts';
import { digestKey } from '../store/accounts/key-digest.ts';

/**
 * The account that makes a request, and the workspace in which it acts. The actor is found once per request and passed down as one
 * argument.
 */
export type RequestActor = KeyActor | SessionActor;

/** Who makes a change: the account of a request, or the service when it makes a change that a person has scheduled. */
export type Actor = RequestActor | ServiceActor;

interface ActorFields {
  /** The workspace that the request concerns: the account's own workspace, or a workspace of which the account is a member. */
  workspaceId: string;
  /** The workspace's revision when the actor was found. Every write to the workspace's prompts increments the revision. */
  revision: number;
  accountId: string;
  email: string;
  name: string;
  role: Role;
  /** Whether the email address of a person is not verified yet. */
  isUnverified?: boolean;
}

/** A program with the account's API key. */
export interface KeyActor extends ActorFields {
  via: 'key';
  key: string;
  /** The number of keys that the account has had, including the current key. */
  keySerial: number;
}

/** A person in the dashboard. */
export interface SessionActor extends ActorFields {
  via: 'session';
  sessionId: string;
  /** A browser session has no key. Only calls with a key are counted in the statistics. */
  keySerial: undefined;
}

/** The service, when it makes a change that a person has scheduled. The person's role at that time counts. */
export interface ServiceActor extends ActorFields {
  via: 'service';
  /** How the person requested the change. */
  requestedVia: Via;
  keySerial: undefined;
}

/** The origin of a request, for throttling and for the account's activity. */
export interface Client {
  address: string;
  userAgent: string | undefined;
}

export function toKeyActor(account: AccountRecord, key: string): KeyActor {
  const { id: accountId, email, name, keySerial } = account;
  const { workspaceId, revision, role } = placeOf(account);
  return { workspaceId, revision, accountId, email, name, role, via: 'key', key, keySerial, isUnverified: isUnverified(account) };
}

export function toSessionActor(account: AccountRecord, sessionId: string): SessionActor {
  const { id: accountId, email, name } = account;
  const { workspaceId, revision, role } = placeOf(account);
  return {
    workspaceId,
    revision,
    accountId,
    email,
    name,
    role,
    via: 'session',
    sessionId,
    keySerial: undefined,
    isUnverified: isUnverified(account),
  };
}

/**
 * Returns the actor with which the service makes a person's change. Such an actor never makes a request, so it has no address and no
 * revision.
 */
export function toServiceActor(
  { userId, name, via }: ServicePerson,
  { workspaceId, role }: { workspaceId: string; role: Role },
): ServiceActor {
  return { workspaceId, revision: 0, accountId: userId, email: '', name, role, via: 'service', requestedVia: via, keySerial: undefined };
}

/** Returns the actor as the author of a change. The name is stored with the change, so that it remains when the person leaves. */
export function toPerson(actor: Actor): ServicePerson {
  const { accountId, name } = actor;
  if (actor.via === 'service') return { userId: accountId, name, via: actor.requestedVia };
  return { userId: accountId, name, via: actor.via === 'key' ? 'api' : 'dashboard' };
}

/** Returns the request's credential. At its commit, a change verifies that the credential is still valid. */
export function credentialOf(actor: Actor): Credential {
  const { accountId } = actor;
  if (actor.via === 'key') return { accountId, via: 'key', keyDigest: digestKey(actor.key) };
  if (actor.via === 'session') return { accountId, via: 'session', sessionId: actor.sessionId };
  return systemCredential(accountId);
}

/** Returns the session's credential, for changes to the session itself. */
export function sessionCredentialOf({ accountId, sessionId }: SessionActor): Credential & { via: 'session' } {
  return { accountId, via: 'session', sessionId };
}

/** Returns the credential for changes that the service or its operator makes. */
export function systemCredential(accountId: string): Credential {
  return { accountId, via: 'system' };
}

/** Service accounts have no email address. */
function isUnverified({ emailVerifiedAt, homeWorkspaceId }: AccountRecord): boolean {
  return emailVerifiedAt === null && !homeWorkspaceId;
}

function placeOf({ id, revision, membership }: AccountRecord): Pick<Actor, 'workspaceId' | 'revision' | 'role'> {
  return membership ?? { workspaceId: id, revision, role: 'owner' };
}
