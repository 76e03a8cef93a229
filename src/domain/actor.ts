import type { Role } from '../contract/roles.ts';
import type { Account } from '../store/accounts/accounts.ts';

/** The identity behind a request and its workspace. Resolved once per request and passed down as one argument. */
export type Actor = KeyActor | SessionActor;

interface ActorFields {
  /** The tenant whose prompts and statistics the request concerns. Currently the same as the account id. */
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

export function toKeyActor({ id, email, name, revision, keySerial }: Account, key: string): KeyActor {
  return { workspaceId: id, revision, accountId: id, email, name, role: 'owner', via: 'key', key, keySerial };
}

export function toSessionActor({ id, email, name, revision }: Account, sessionId: string): SessionActor {
  return { workspaceId: id, revision, accountId: id, email, name, role: 'owner', via: 'session', sessionId, keySerial: undefined };
}
