import { hash, randomBytes } from 'node:crypto';
import type { Session } from '../../contract/sessions.ts';
import { AppError } from '../../errors.ts';
import type { SessionWindow } from '../../store/accounts/sessions.ts';
import { type Client, type SessionActor, toSessionActor } from '../actor.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';

/** A session ends when it is not used for this long. */
export const idleTimeoutMs = 7 * 24 * 60 * 60 * 1000;
/** However much it is used, a session ends this long after the sign-in. */
const lifetimeMs = 30 * 24 * 60 * 60 * 1000;
/** Its use is noted once an hour, so that most requests write nothing. */
const extendAfterMs = 60 * 60 * 1000;
const maxUserAgentLength = 512;

/** Starts a session for an account that has just been authenticated, and returns the token for its cookie. */
export async function openSession(ctx: Context, login: { accountId: string; passwordHash?: string; client: Client }): Promise<string> {
  const { accountId, passwordHash, client } = login;
  const id = newId('s');
  const token = randomBytes(32).toString('base64url');
  const now = new Date();
  await ctx.store.sessions.insert({
    id,
    tokenDigest: digestToken(token),
    accountId,
    expiresAt: new Date(now.getTime() + idleTimeoutMs).toISOString(),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    address: client.address,
    userAgent: client.userAgent?.slice(0, maxUserAgentLength) ?? null,
  });
  // Checked after the insert: a password change since the old one was verified has ended all sessions but this one.
  if (passwordHash !== undefined && (await ctx.store.accounts.findById(accountId))?.passwordHash !== passwordHash) {
    await ctx.store.sessions.delete(accountId, id);
    throw new AppError('invalid_credentials');
  }
  return token;
}

/** The actor of a session's token. `extended` says that the session was extended, and its cookie should be too. */
export async function findSession(ctx: Context, token: string): Promise<{ actor: SessionActor; extended: boolean } | undefined> {
  const window = activeWindow();
  const found = await ctx.store.sessions.find(digestToken(token), window);
  if (!found) return undefined;
  const { id, updatedAt } = found.session;
  const extended = window.now.getTime() - Date.parse(updatedAt) >= extendAfterMs;
  if (extended) {
    const expiresAt = new Date(window.now.getTime() + idleTimeoutMs).toISOString();
    await ctx.store.sessions.extend(id, { expiresAt, updatedAt: window.now.toISOString() });
  }
  return { actor: toSessionActor(found.account, id), extended };
}

/** Where the account is signed in. */
export async function listSessions(ctx: Context, actor: SessionActor): Promise<Session[]> {
  const sessions = await ctx.store.sessions.list(actor.accountId, activeWindow());
  return sessions.map(({ id, createdAt, updatedAt, address, userAgent }) => ({
    id,
    createdAt,
    lastUsedAt: updatedAt,
    address,
    userAgent,
    current: id === actor.sessionId,
  }));
}

/** Ends one of the account's sessions. */
export async function endSession(ctx: Context, actor: SessionActor, sessionId: string): Promise<void> {
  // The store refuses NUL as invalid input, but an id with it is simply unknown.
  const isEnded = !sessionId.includes('\0') && (await ctx.store.sessions.delete(actor.accountId, sessionId));
  if (!isEnded) throw new AppError('not_found');
}

/** Ends all of the account's sessions but the actor's own. */
export async function endOtherSessions(ctx: Context, actor: SessionActor): Promise<void> {
  await ctx.store.sessions.deleteOthers(actor.accountId, actor.sessionId);
}

/** Ends the session of a token, if there is one. */
export async function signOut(ctx: Context, token: string): Promise<void> {
  await ctx.store.sessions.deleteByToken(digestToken(token));
}

function activeWindow(): SessionWindow {
  const now = new Date();
  return { now, createdAfter: new Date(now.getTime() - lifetimeMs) };
}

/** A token has 256 random bits, so a plain digest cannot be reversed by guessing. */
function digestToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
