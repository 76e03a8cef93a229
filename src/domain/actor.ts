import type { Account } from '../store/accounts/accounts.ts';

/** Who makes a request, and in which workspace. Found once per request and passed down as one argument. */
export type Actor = KeyActor | SessionActor;

/** What an actor may do in its workspace. So far every account is the owner of its own workspace and a member of no other. */
export type Role = 'owner';

interface ActorFields {
  /** Whose prompts and statistics the request is about. The account is the workspace. */
  workspaceId: string;
  /** The workspace's revision at the time of the lookup: it goes up with every write to the workspace's prompts. */
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
  /** Which of the account's keys it is: the first is 1. */
  keySerial: number;
}

/** A person in the dashboard. */
export interface SessionActor extends ActorFields {
  via: 'session';
  sessionId: string;
  /** Only calls with a key count in the statistics. */
  keySerial: undefined;
}

/** Where a request comes from, for throttling and for the account's activity. */
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
