import type { Session } from '../../contract/sessions.ts';
import { AppError } from '../../errors.ts';
import type { NewSessionRecord } from '../../store/accounts/new-sessions.ts';
import type { SessionProvider } from '../../store/accounts/provider-sessions.ts';
import type { SessionWindow, VerifiedProof } from '../../store/accounts/sessions.ts';
import type { WithStore } from '../../store/store.ts';
import { type Client, credentialOf, type SessionActor, toSessionActor } from '../actor.ts';
import { newId, toStorable } from '../ids.ts';
import { digestToken, newToken } from '../secrets/tokens.ts';
import type { WithAudit } from './audit.ts';

/** A session is extended at most once an hour, so that most requests write nothing. Short sessions are extended more often. */
const maxExtendAfterMs = 60 * 60 * 1000;

export interface NewSession {
  accountId: string;
  client: Client;
  /** The state that the sign-in verified. It must still be current when the session starts. */
  verified: VerifiedProof;
  /** The provider that signed the person in, if any. */
  provider?: SessionProvider | undefined;
  /** The token of the browser's current session, which the new session replaces. */
  replacedToken?: string | undefined;
}

/** Starts a session for an account that has just been authenticated, and returns the token for its cookie. */
export async function openSession(ctx: WithAudit, { accountId, client, verified, provider, replacedToken }: NewSession): Promise<string> {
  const { token, record } = makeSession(ctx, { accountId, client, provider, provedAt: verified.provedAt });
  if (!(await ctx.store.sessions.insert(record, verified))) throw new AppError(provider ? 'sign_in_expired' : 'invalid_credentials');
  if (replacedToken !== undefined) await signOut(ctx, replacedToken, client);
  return token;
}

/**
 * Creates a session that is not stored yet, and the token for its cookie. `provedAt` is null if the person has not proved their identity in
 * full, because they used a link in an email, or only the password of an account that has a second factor.
 */
export function makeSession(
  { store }: WithStore,
  {
    accountId,
    client,
    provider,
    provedAt = new Date(),
  }: Pick<NewSession, 'accountId' | 'client' | 'provider'> & { provedAt?: Date | null | undefined },
): { token: string; record: NewSessionRecord } {
  const token = newToken();
  const now = new Date();
  const record = {
    id: newId('s'),
    tokenDigest: digestToken(token),
    accountId,
    provider,
    expiresAt: new Date(now.getTime() + store.sessionTimes.idleMs).toISOString(),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    address: client.address,
    userAgent: client.userAgent ?? null,
    provedAt: provedAt?.toISOString() ?? null,
  };
  return { token, record };
}

/**
 * Finds the actor by the session's token, in the given workspace if the account is a member of it, and otherwise in the account's own. If
 * `isDue` is true, the caller must extend the session and its cookie once the request is accepted.
 */
export async function findSession(
  ctx: WithStore,
  token: string,
  workspaceId?: string,
): Promise<{ actor: SessionActor; isDue: boolean } | undefined> {
  const window = activeWindow(ctx);
  const found = await ctx.store.sessions.find(digestToken(token), window, workspaceId);
  if (!found) return undefined;
  const { id, updatedAt } = found.session;
  const extendAfterMs = Math.min(maxExtendAfterMs, ctx.store.sessionTimes.idleMs / 4);
  return { actor: toSessionActor(found.account, id), isDue: window.now.getTime() - Date.parse(updatedAt) >= extendAfterMs };
}

/** Restarts the idle timeout of the actor's session. */
export async function extendSession(ctx: WithStore, { sessionId }: SessionActor): Promise<void> {
  const now = new Date();
  const expiresAt = new Date(now.getTime() + ctx.store.sessionTimes.idleMs).toISOString();
  await ctx.store.sessions.extend(sessionId, { expiresAt, updatedAt: now.toISOString() });
}

/** Lists the account's active sessions. */
export async function listSessions(ctx: WithStore, actor: SessionActor): Promise<Session[]> {
  const sessions = await ctx.store.sessions.list(actor.accountId, activeWindow(ctx));
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
export async function endSession(
  ctx: WithAudit,
  actor: SessionActor,
  { sessionId, client }: { sessionId: string; client: Client },
): Promise<void> {
  if (!(await ctx.store.sessions.delete(actor.accountId, toStorable(sessionId)))) throw new AppError('not_found');
  ctx.audit({ type: 'sessions_ended', accountId: actor.accountId, client });
}

/** Ends all of the account's sessions except the actor's own. */
export async function endOtherSessions(ctx: WithAudit, actor: SessionActor, client: Client): Promise<void> {
  const hasEnded = await ctx.store.sessions.deleteOthers(credentialOf(actor));
  if (hasEnded) ctx.audit({ type: 'sessions_ended', accountId: actor.accountId, client });
}

/** Ends the token's session, if it exists. Returns the issuer of the provider that started the session. */
export async function signOut(ctx: WithAudit, token: string, client: Client): Promise<string | undefined> {
  const ended = await ctx.store.sessions.deleteByToken(digestToken(token));
  if (ended) ctx.audit({ type: 'sign_out', accountId: ended.accountId, client });
  return ended?.issuer ?? undefined;
}

function activeWindow({ store }: WithStore): SessionWindow {
  const now = new Date();
  return { now, createdAfter: new Date(now.getTime() - store.sessionTimes.lifetimeMs) };
}
