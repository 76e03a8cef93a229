import type { ServicePerson } from '../contract/people.ts';
import type { Role } from '../contract/roles.ts';
import type { AccountRecord } from '../store/accounts/accounts.ts';
import type { Credential } from '../store/accounts/credentials.ts';
import { digestKey } from '../store/accounts/key-digest.ts';

/** The identity behind a request and its workspace. Resolved once per request and passed down as one argument. */
export type Actor = KeyActor | SessionActor;

interface ActorFields {
  /** The tenant whose prompts and statistics the request concerns: the account itself, or an account that it is a member of. */
  workspaceId: string;
  /** The workspace's revision at the time of the lookup. Every write to the workspace's prompts increments it. */
  revision: number;
  accountId: string;
  email: string;
  name: string;
  role: Role;
}

/** A program with the account's API key. */
export interface KeyActor extends ActorFields {
  via: 'key';
  key: string;
  /** How many keys the account has had, this one included. */
  keySerial: number;
}

/** A person in the dashboard. */
export interface SessionActor extends ActorFields {
  via: 'session';
  sessionId: string;
  /** Only calls with a key count in the statistics. */
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
  return { workspaceId, revision, accountId, email, name, role, via: 'key', key, keySerial };
}

export function toSessionActor(account: AccountRecord, sessionId: string): SessionActor {
  const { id: accountId, email, name } = account;
  const { workspaceId, revision, role } = placeOf(account);
  return { workspaceId, revision, accountId, email, name, role, via: 'session', sessionId, keySerial: undefined };
}

/** The actor as the one who makes a change. The name is stored with the change, so that people who leave keep theirs. */
export function toPerson({ accountId, name, via }: Actor): ServicePerson {
  return { userId: accountId, name, via: via === 'key' ? 'api' : 'dashboard' };
}

/** The credential of the request, with which a change checks that it is still valid when it commits. */
export function credentialOf(actor: Actor): Credential {
  const { accountId } = actor;
  if (actor.via === 'key') return { accountId, via: 'key', keyDigest: digestKey(actor.key) };
  return { accountId, via: 'session', sessionId: actor.sessionId };
}

/** The credential of changes that the service itself or its operator makes. */
export function systemCredential(accountId: string): Credential {
  return { accountId, via: 'system' };
}

function placeOf({ id, revision, membership }: AccountRecord): Pick<Actor, 'workspaceId' | 'revision' | 'role'> {
  return membership ?? { workspaceId: id, revision, role: 'owner' };
}
