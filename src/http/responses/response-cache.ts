import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { LRUCache } from 'lru-cache';
import { workspaceHeader } from '../../contract/permissions.ts';
import { type Assignment, assign, type Caller, type Split } from '../../contract/release-assignment.ts';
import type { Actor } from '../../domain/actor.ts';
import type { ServedPrompt } from '../../domain/statistics/counters.ts';
import { version } from '../../version.ts';
import { actorOf } from '../middleware/authentication.ts';
import { type CallerUrl, readCallerUrl } from './caller.ts';
import { formatHeaders, isLarge, type PreparedResponse, prepareResponse, sendPrepared } from './prepared-response.ts';

export type ResponseCache = ReturnType<typeof createResponseCache>;

interface SendOptions {
  servedPrompt?: ServedPrompt | undefined;
  /** How the release that chose the version divides callers. Undefined if no release chose it. */
  split?: Split | undefined;
  headers?: Record<string, string>;
  /** Whether the response is cached. Default: true. */
  isKept?: boolean;
}

/** The cache entry of a URL whose response depends on the caller. The responses themselves are cached by version and reason. */
interface CachedSplit {
  revision: number;
  split: Split;
}

interface CachedResponse {
  revision: number;
  split?: undefined;
  etag: string;
  full: PreparedResponse;
  /** The response for callers that already have the current body. Such a request also counts as a call of the prompt. */
  notModified: PreparedResponse;
}

const maxBytes = 64 * 1024 * 1024;
/** The maximum size of a cached response. Every page of a list is smaller, see `maxPageBytes`. */
const maxResponseBytes = 2 * 1024 * 1024;
/** The approximate memory of a response in addition to its body. */
const overheadBytes = 1000;

/**
 * Caches serialized responses by workspace and URL, each with the revision at which it was created. Every write to a workspace's prompts
 * increments its revision in the same transaction, and each request's key lookup returns the current revision, so a cached response is
 * never served when it is stale.
 */
export function createResponseCache(commonHeaders: Record<string, string>) {
  const responses = new LRUCache<string, CachedResponse | CachedSplit>({
    maxSize: maxBytes,
    maxEntrySize: maxResponseBytes,
    sizeCalculation: (cached, key) => (cached.split ? JSON.stringify(cached.split) : cached.full.body).length + key.length + overheadBytes,
  });

  /** Returns the cached response for the actor's workspace, the URL, and the caller that the URL describes. */
  function find(actor: Actor, req: IncomingMessage): PreparedResponse | undefined {
    const url = readCallerUrl(req.url ?? '');
    if (!url) return undefined;
    const key = cacheKey(actor, url);
    const cached = findCurrent(actor, key);
    const response = cached?.split ? findCurrent(actor, keyOfVersion(key, assign(cached.split, url.caller))) : cached;
    return response && !response.split ? withKey(choose(response, req), url.caller) : undefined;
  }

  function findCurrent({ revision }: Actor, key: string): CachedResponse | CachedSplit | undefined {
    const cached = responses.get(key);
    return cached?.revision === revision ? cached : undefined;
  }

  function keep(actor: Actor, url: CallerUrl, response: CachedResponse, split: Split | undefined): void {
    const key = cacheKey(actor, url);
    const { revision } = actor;
    if (split) responses.set(key, { revision, split });
    responses.set(split ? keyOfVersion(key, assign(split, url.caller)) : key, response);
  }

  return {
    find,

    /** Middleware that runs after the authentication and responds from the cache on a hit. */
    serve(req: FastifyRequest, reply: FastifyReply, done: (err?: Error) => void): void {
      const actor = actorOf(req);
      const cached = find(actor, req.raw);
      // On a miss, the prompt is read even for a 304, because the statistics need its id.
      if (!cached) done();
      else if (isLarge(cached)) req.enterQueue().then(() => void sendPrepared(req, reply, cached), done);
      else sendPrepared(req, reply, cached);
    },

    /** Wraps a handler: sends and caches what it returns, unless it has already sent a response. */
    cache: (handler: RouteHandlerMethod): RouteHandlerMethod =>
      async function respond(this: FastifyInstance, req, reply) {
        const body = await handler.call(this, req, reply);
        return reply.sent ? reply : sendJson(req, reply, JSON.stringify(body), {});
      },

    /** Sends a body and caches the response. `servedPrompt` is set if the body is a prompt version. */
    send: (req: FastifyRequest, reply: FastifyReply, body: unknown, options: SendOptions) =>
      sendJson(req, reply, JSON.stringify(body), options),

    sendJson,
  };

  /** Sends a body that is already serialized, and caches the response. */
  function sendJson(
    req: FastifyRequest,
    reply: FastifyReply,
    json: string,
    { servedPrompt, split, headers: ownHeaders, isKept = true }: SendOptions,
  ): FastifyReply {
    const actor = actorOf(req);
    const etag = etagOf(actor);
    const headers = formatHeaders({
      ...commonHeaders,
      etag,
      'cache-control': 'private, no-cache',
      vary: `authorization, cookie, ${workspaceHeader.toLowerCase()}`,
      ...ownHeaders,
    });
    const route = req.routeOptions.url ?? '';
    const response: CachedResponse = {
      revision: actor.revision,
      etag,
      full: prepareResponse({ route, status: 200, headers, json, servedPrompt }),
      notModified: prepareResponse({ route, status: 304, headers, servedPrompt }),
    };
    // Every member of a workspace is at least a viewer, so responses that viewers may read can be served from the cache to all members.
    const url = readCallerUrl(req.raw.url ?? '');
    if (isKept && url && req.routeOptions.config.permission === 'viewer') keep(actor, url, response, split);
    return sendPrepared(req, reply, withKey(choose(response, req.raw), url?.caller ?? {}));
  }
}

function cacheKey({ workspaceId }: Actor, { base }: CallerUrl): string {
  return `${workspaceId} ${base}`;
}

/** Returns the cache key of one version at a URL. No other URL has this key, because URLs contain no spaces. */
function keyOfVersion(key: string, { version, reason }: Assignment): string {
  return `${key} ${version} ${reason}`;
}

/**
 * Returns the ETag. It is weak, because the body may already contain a write that happened after the key lookup, while the revision is the
 * one that the key lookup returned.
 */
function etagOf({ workspaceId, revision }: Actor): string {
  return `W/"${version}-${workspaceId.slice(-8)}-${revision.toString(36)}"`;
}

function choose({ etag, full, notModified }: CachedResponse, { headers }: IncomingMessage): PreparedResponse {
  return matchesEtag(headers['if-none-match'], etag) ? notModified : full;
}

/** Adds the caller's key to a response. The statistics count the key, but the cached response must not contain it. */
function withKey(response: PreparedResponse, { key }: Caller): PreparedResponse {
  const { servedPrompt } = response;
  return key === undefined || !servedPrompt ? response : { ...response, servedPrompt: { ...servedPrompt, key } };
}

/**
 * Returns whether the header matches the tag. `If-None-Match` may list several tags or be `*`, and a proxy may have turned a weak tag into
 * a strong one.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*' || `W/${tag.trim()}` === etag);
}
