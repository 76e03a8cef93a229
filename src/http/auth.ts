import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../domain/context.ts';
import type { Editor } from '../domain/history.ts';
import type { Browser, Cookies, Sessions } from '../domain/sessions.ts';
import { AppError } from '../errors.ts';
import type { Account, AccountCredentials } from '../store/accounts.ts';
import type { RateLimit } from './rate-limit.ts';

/** Who makes the request: a program with the account's key, or a person with a browser session. */
export type Actor = { via: 'key'; account: Account; key: string } | { via: 'session'; account: AccountCredentials };

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined;
  }
}

export interface AuthParts {
  ctx: Context;
  sessions: Sessions;
  publicOrigin: string | undefined;
  rateLimit: RateLimit | undefined;
}

/**
 * A route step: finds out who asks, or answers 401. An Authorization header, if there is one, alone decides.
 * Written with callbacks, because every request of every program passes here, and a promise it does not need costs it dearly.
 */
export function createAuthentication({ ctx, sessions, publicOrigin, rateLimit }: AuthParts) {
  return function authenticate(req: FastifyRequest, reply: FastifyReply, done: (err?: Error) => void): void {
    if (req.headers.authorization === undefined) {
      authenticateSession(req, reply).then(() => done(), done);
      return;
    }
    const key = readBearer(req.raw);
    const account = key === undefined ? undefined : ctx.store.accounts.findByKey(key);
    if (account instanceof Promise) account.then((found) => admit(req, key, found, done), done);
    else admit(req, key, account, done);
  };

  function admit(req: FastifyRequest, key: string | undefined, account: Account | undefined, done: (err?: Error) => void): void {
    if (key === undefined || !account) {
      done(new AppError('unauthorized'));
      return;
    }
    req.actor = { via: 'key', account, key };
    done(rateLimit?.take(account.id));
  }

  async function authenticateSession(req: FastifyRequest, reply: FastifyReply): Promise<void> {
    const session = await sessions.find(browserOf(req));
    const account = session && (await ctx.store.accounts.findById(session.accountId));
    if (!session || !account) throw new AppError('unauthorized');
    if (req.method !== 'GET' && req.method !== 'HEAD') assertOwnOrigin(req, publicOrigin);
    setCookies(reply, session);
    req.actor = { via: 'session', account };
  }
}

/** The actor of a route that has the authentication step. */
export function actorOf(req: FastifyRequest): Actor {
  if (!req.actor) throw new Error('The route lacks the authentication step');
  return req.actor;
}

/** Whose prompts a route changes, and whether a program or a person does it. */
export function editorOf(req: FastifyRequest): Editor {
  const { via, account } = actorOf(req);
  return { accountId: account.id, by: via === 'key' ? 'api' : 'dashboard' };
}

/** A route step after the authentication: what concerns sessions, password and second factor is not for the API key. */
export async function sessionOnly(req: FastifyRequest): Promise<void> {
  if (actorOf(req).via !== 'session') throw new AppError('unauthorized');
}

/** Refuses what another site makes a browser send. Browsers say where a request comes from; we insist on hearing it. */
export function assertOwnOrigin(req: FastifyRequest, publicOrigin: string | undefined): void {
  const { origin } = req.headers;
  const own = publicOrigin ?? `${req.protocol}://${req.host}`;
  const isOwn = origin === undefined ? req.headers['sec-fetch-site'] === 'same-origin' : origin === own;
  if (!isOwn) throw new AppError('cross_origin');
}

export function browserOf(req: FastifyRequest): Browser {
  return { cookie: req.headers.cookie, userAgent: req.headers['user-agent'], address: req.ip };
}

export function setCookies(reply: FastifyReply, { cookies }: Cookies): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
}

/** The key of `Authorization: Bearer <key>`: one header, one space, scheme in any case. Anything else is no key. */
export function readBearer(req: IncomingMessage): string | undefined {
  // Node keeps the first of several Authorization headers; a proxy may have looked at another one.
  if (countHeader(req.rawHeaders, 'authorization') !== 1) return undefined;
  const header = req.headers.authorization ?? '';
  return header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7) : undefined;
}

function countHeader(rawHeaders: string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index];
    if (header?.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count;
}
