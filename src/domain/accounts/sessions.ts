import type { Session } from '../../contract/sessions.ts';
import { AppError } from '../../errors.ts';
import type { SessionWindow } from '../../store/accounts/sessions.ts';
import { type Client, type SessionActor, toSessionActor } from '../actor.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';
import { digestToken, newToken } from '../secrets/tokens.ts';

/** A session expires when it is not used for this long. */
export const idleTimeoutMs = 7 * 24 * 60 * 60 * 1000;
/** A session expires this long after the sign-in, even if it is used. */
const lifetimeMs = 30 * 24 * 60 * 60 * 1000;
/** A session is extended at most once an hour, so that most requests write nothing. */
const extendAfterMs = 60 * 60 * 1000;

/** Starts a session for an account that has just been authenticated, and returns the token for its cookie. */
export async function openSession(ctx: Context, login: { accountId: string; passwordHash?: string; client: Client }): Promise<string> {
  const { accountId, passwordHash, client } = login;
  const id = newId('s');
  const token = newToken();
  const now = new Date();
  const session = {
    id,
    tokenDigest: digestToken(token),
    accountId,
    expiresAt: new Date(now.getTime() + idleTimeoutMs).toISOString(),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    address: client.address,
    userAgent: client.userAgent ?? null,
  };
  await ctx.store.sessions.insert(session).catch(async (err: unknown) => {
    // The account may have been deleted since it was authenticated.
    throw (await ctx.store.accounts.findById(accountId)) ? err : new AppError('unauthorized');
  });
  // Checked after the insert, because a password change in the meantime has ended every session except this one.
  if (passwordHash !== undefined && (await ctx.store.accounts.findById(accountId))?.passwordHash !== passwordHash) {
    await ctx.store.sessions.delete(accountId, id);
    throw new AppError('invalid_credentials');
  }
  return token;
}

/** Finds the actor by the session's token. If `extended` is true, the cookie should be extended too. */
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

/** The account's active sessions. */
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

/** Ends all of the account's sessions except the actor's own. */
export async function endOtherSessions(ctx: Context, actor: SessionActor): Promise<void> {
  await ctx.store.sessions.deleteOthers(actor.accountId, actor.sessionId);
}

/** Ends the token's session, if it exists. */
export async function signOut(ctx: Context, token: string): Promise<void> {
  await ctx.store.sessions.deleteByToken(digestToken(token));
}

function activeWindow(): SessionWindow {
  const now = new Date();
  return { now, createdAfter: new Date(now.getTime() - lifetimeMs) };
}
