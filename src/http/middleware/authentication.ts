import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../../contract/accounts.ts';
import { ownAccount, type Permission, workspaceHeader } from '../../contract/permissions.ts';
import { extendSession, findSession } from '../../domain/accounts/sessions.ts';
import { type Client, type RequestActor, type SessionActor, toKeyActor } from '../../domain/actor.ts';
import type { Context } from '../../domain/context.ts';
import { findRoleRefusal } from '../../domain/workspaces/change-workspace.ts';
import { AppError } from '../../errors.ts';
import { isLangfuseUrl } from '../langfuse/paths.ts';
import { isOfrepUrl } from '../ofrep/paths.ts';
import { isOtlpUrl } from '../otlp/paths.ts';
import type { Cookie } from './cookies.ts';
import { countHeader, hasBody } from './headers.ts';
import { assertSameOrigin } from './origin.ts';
import { addRateLimitHeaders, type RateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: RequestActor | undefined;
  }
  interface FastifyContextConfig {
    /** The permission that a caller of the route needs. See contract/permissions.ts. */
    permission?: Permission;
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** The result of the fast path's key lookup, so that the route does not repeat it. */
    keyLookup?: KeyLookupResult;
  }
}

export type KeyLookupResult = { actor: RequestActor | undefined } | { error: unknown };
type Done = (err?: Error) => void;

const maxUserAgentLength = 512;

interface AuthenticationOptions {
  ctx: Context;
  sessionCookie: Cookie;
  publicOrigin: string | undefined;
  rateLimit: RateLimit | undefined;
  writeLimit: RateLimit;
}

/**
 * Middleware that finds the actor or responds 401, and checks the workspace and the role. No other code checks them. If there is an
 * Authorization header, the session cookie is ignored. The middleware uses callbacks, because it runs on every API request and a promise
 * would cost more than the lookup.
 */
export function createAuthentication({ ctx, sessionCookie, publicOrigin, rateLimit, writeLimit }: AuthenticationOptions) {
  return function authenticate(req: FastifyRequest, reply: FastifyReply, done: Done): void {
    if (req.headers.authorization === undefined && !hasKeyHeader(req.raw)) {
      authenticateSession(req, reply).then(() => done(), done);
      return;
    }
    const { keyLookup } = req.raw;
    if (!keyLookup) lookUpKey(req, reply, done);
    else if ('error' in keyLookup) done(keyLookup.error as Error);
    else admit(req, reply, keyLookup.actor, done);
  };

  function lookUpKey(req: FastifyRequest, reply: FastifyReply, done: Done): void {
    const key = readKey(req.raw);
    if (key === undefined) {
      admit(req, reply, undefined, done);
      return;
    }
    const account = ctx.store.keys.findAccount(key, requestedWorkspace(req));
    if (account instanceof Promise)
      account.then((found) => found && toKeyActor(found, key)).then((actor) => admit(req, reply, actor, done), done);
    else admit(req, reply, account && toKeyActor(account, key), done);
  }

  function admit(req: FastifyRequest, reply: FastifyReply, actor: RequestActor | undefined, done: Done): void {
    req.actor = actor;
    done(actor ? (countCall(reply, actor) ?? findRefusal(ctx, req, actor) ?? countWrite(req, reply, actor)) : new AppError('unauthorized'));
  }

  async function authenticateSession(req: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = sessionCookie.read(req);
    const session = token === undefined ? undefined : await findSession(ctx, token, requestedWorkspace(req));
    if (token === undefined || !session) throw new AppError('unauthorized');
    if (req.method !== 'GET' && req.method !== 'HEAD') assertSameOrigin(req, publicOrigin);
    // The session is extended only after the origin was checked, so that another site cannot keep a session alive.
    if (session.isDue) {
      await extendSession(ctx, session.actor);
      sessionCookie.set(reply, token);
    }
    req.actor = session.actor;
    const refusal = findRefusal(ctx, req, session.actor) ?? countWrite(req, reply, session.actor);
    if (refusal) throw refusal;
  }

  function countCall(reply: FastifyReply, { accountId }: RequestActor): AppError | undefined {
    if (!rateLimit) return undefined;
    const refusal = rateLimit.take(accountId);
    addRateLimitHeaders(reply, [rateLimit], accountId);
    return refusal;
  }

  function countWrite(req: FastifyRequest, reply: FastifyReply, { accountId, via }: RequestActor): AppError | undefined {
    if (!isWrite(req.method, req.routeOptions.config.permission)) return undefined;
    const refusal = writeLimit.take(accountId);
    // Only calls with a key count toward both limits.
    addRateLimitHeaders(reply, rateLimit && via === 'key' ? [rateLimit, writeLimit] : [writeLimit], accountId);
    return refusal;
  }
}

/**
 * Middleware that finds the actor again after the body has arrived. The request may have waited for half a minute by then, and the key may
 * have been reset, the session ended or the role revoked in the meantime.
 */
export function createConfirmation({ ctx, sessionCookie }: Pick<AuthenticationOptions, 'ctx' | 'sessionCookie'>) {
  return async function confirm(req: FastifyRequest): Promise<void> {
    // If the fast path read the body, it looked up the key only afterwards. `hasBody` checks the headers, because an empty body may also
    // have arrived after a long delay.
    if (!req.actor || !hasBody(req) || req.raw.bodyRead) return;
    const actor = await findActorAgain(ctx, req.actor, { workspaceId: requestedWorkspace(req), sessionToken: sessionCookie.read(req) });
    if (!actor) throw new AppError('unauthorized');
    req.actor = actor;
    const refusal = findRefusal(ctx, req, actor);
    if (refusal) throw refusal;
  };
}

/** Finds the actor of a request again, with the same credential. */
export async function findActorAgain(
  ctx: Context,
  actor: RequestActor,
  { workspaceId, sessionToken }: { workspaceId: string | undefined; sessionToken: string | undefined },
): Promise<RequestActor | undefined> {
  if (actor.via === 'key') {
    const account = await ctx.store.keys.findAccount(actor.key, workspaceId);
    return account && toKeyActor(account, actor.key);
  }
  return sessionToken === undefined ? undefined : (await findSession(ctx, sessionToken, workspaceId))?.actor;
}

/**
 * Finds the reason why the actor may not make this request. A refused request still counts in the statistics of the workspace in which the
 * lookup found the account.
 */
function findRefusal(ctx: Context, { raw, routeOptions }: FastifyRequest, actor: RequestActor): AppError | undefined {
  const { permission } = routeOptions.config;
  // A route without a permission is never registered, so a missing permission is a bug.
  if (permission === undefined) return new AppError('internal', { cause: new Error('The route has no permission') });
  if (permission === ownAccount) return undefined;
  if (mustVerify(ctx, actor)) return new AppError('email_not_verified');
  if (!isInWorkspace(actor, readWorkspace(raw))) return new AppError('workspace_not_found');
  return findRoleRefusal(actor.role, permission);
}

/** Returns whether the actor must verify the account's email address before using workspaces. */
export function mustVerify({ requiresVerifiedEmail }: Context, { isUnverified = false }: RequestActor): boolean {
  return requiresVerifiedEmail && isUnverified;
}

/**
 * Returns whether the request counts as a change. A POST that requires only the role of a viewer changes nothing: it renders a prompt, or
 * calls /mcp, whose tools count their changes themselves.
 */
export function isWrite(method: string, permission: Permission | undefined): boolean {
  if (method === 'POST') return permission !== 'viewer';
  return method !== 'GET' && method !== 'HEAD';
}

/** Returns the workspace that the request names. Requests about the caller's own account do not depend on a workspace. */
function requestedWorkspace(req: FastifyRequest): string | undefined {
  return req.routeOptions.config.permission === ownAccount ? undefined : readWorkspace(req.raw);
}

/** Returns the actor that the authentication middleware found. */
export function actorOf(req: FastifyRequest): RequestActor {
  if (!req.actor) throw new Error('The route has no authentication middleware');
  return req.actor;
}

/**
 * Returns the actor of a route that accepts only browser sessions. An API key must not change passwords, sessions or two-factor settings.
 */
export function sessionActorOf(req: FastifyRequest): SessionActor {
  const actor = actorOf(req);
  if (actor.via !== 'session') throw new AppError('unauthorized');
  return actor;
}

/** Returns the account of an actor in the form that browsers receive. */
export function userOf({ accountId: userId, email, name }: RequestActor): User {
  return { userId, email, name };
}

/** Middleware that rejects API keys after the authentication, before the body is read. */
export async function sessionOnly(req: FastifyRequest): Promise<void> {
  sessionActorOf(req);
}

export function clientOf(req: FastifyRequest): Client {
  return { address: req.ip, userAgent: req.headers['user-agent']?.slice(0, maxUserAgentLength) };
}

/**
 * Reads the key from `Authorization: Bearer <key>`. There must be exactly one such header with one space; the scheme may be in any case.
 * For the endpoints of Langfuse and OpenTelemetry, the key may also be the password of `Authorization: Basic`. For the endpoints of
 * OpenFeature, the key may be in `X-API-Key` if there is no `Authorization`.
 */
export function readKey(req: IncomingMessage): string | undefined {
  if (req.headers.authorization === undefined && hasKeyHeader(req)) return readKeyHeader(req);
  // Node uses the first of several Authorization headers, but a proxy may have checked a different one.
  if (countHeader(req, 'authorization') !== 1) return undefined;
  const header = req.headers.authorization ?? '';
  if (header.slice(0, 7).toLowerCase() === 'bearer ') return header.slice(7);
  return header.slice(0, 6).toLowerCase() === 'basic ' && takesBasic(req.url) ? readPassword(header.slice(6)) : undefined;
}

/** Returns whether the request is for OpenFeature's endpoints and has the header in which their clients may send the key. */
function hasKeyHeader({ url, headers }: IncomingMessage): boolean {
  return headers[keyHeader] !== undefined && isOfrepUrl(url ?? '');
}

function readKeyHeader(req: IncomingMessage): string | undefined {
  const key = req.headers[keyHeader];
  return countHeader(req, keyHeader) === 1 && typeof key === 'string' ? key : undefined;
}

const keyHeader = 'x-api-key';

function takesBasic(url: string | undefined): boolean {
  return isLangfuseUrl(url) || isOtlpUrl(url);
}

/** Reads the password of basic authentication. The user name is ignored. */
function readPassword(credentials: string): string | undefined {
  // Node ignores characters that are not base64, so different headers could contain the same password.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(credentials)) return undefined;
  const decoded = Buffer.from(credentials, 'base64').toString('latin1');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : decoded.slice(colon + 1);
}

/**
 * Returns whether the lookup found the account in the requested workspace. If the account is not a member there, the lookup finds it in its
 * own workspace.
 */
export function isInWorkspace(actor: RequestActor, workspaceId: string | undefined): boolean {
  return workspaceId === undefined || workspaceId === actor.workspaceId;
}

const workspaceHeaderName = workspaceHeader.toLowerCase();

/** Reads the workspace that the request names. Node joins repeated headers with a comma, and the result is never the id of a workspace. */
export function readWorkspace({ headers }: IncomingMessage): string | undefined {
  // The header is a string, because Node returns only `set-cookie` as a list.
  return headers[workspaceHeaderName] as string | undefined;
}
