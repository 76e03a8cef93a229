import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../../domain/actor.ts';
import type { ServedPrompt } from '../../domain/statistics/hourly-counts.ts';
import { version } from '../../version.ts';
import { actorOf } from '../steps/authentication.ts';
import { formatHeaders, type PreparedResponse, prepareResponse, sendPrepared } from './prepared-response.ts';

export interface ResponseCache {
  /** The cached response for this actor and URL, if there is one. */
  find(actor: Actor, req: IncomingMessage): PreparedResponse | undefined;
  /** A route step after the authentication: responds from the cache where it can. */
  serve(req: FastifyRequest, reply: FastifyReply, done: () => void): void;
  /** Sends a body and caches the response. `servedPrompt` names the prompt it consists of, if it is one. */
  send(req: FastifyRequest, reply: FastifyReply, body: unknown, servedPrompt?: ServedPrompt): FastifyReply;
}

interface CachedResponse {
  etag: string;
  full: PreparedResponse;
  /** For callers who have it already. It counts as a call of its prompt too. */
  notModified: PreparedResponse;
}

const maxBytes = 64 * 1024 * 1024;
const maxResponseBytes = 2 * 1024 * 1024;
/** About what a response takes in memory besides its body. */
const overheadBytes = 1000;

/**
 * Serialized responses by workspace, revision and URL. Every write to a workspace's prompts raises its revision in the same
 * transaction, and the key lookup of each request returns it, so what is found under the current revision cannot be stale.
 */
export function createResponseCache(commonHeaders: Record<string, string>): ResponseCache {
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    maxEntrySize: maxResponseBytes,
    sizeCalculation: ({ full }, key) => full.body.length + key.length + overheadBytes,
  });

  function find(actor: Actor, req: IncomingMessage): PreparedResponse | undefined {
    const cached = responses.get(cacheKey(actor, req));
    return cached && choose(cached, req);
  }

  return {
    find,

    serve(req, reply, done) {
      const cached = find(actorOf(req), req.raw);
      // On a miss the prompt is read even for a 304, because the statistics need its id.
      if (cached) sendPrepared(req, reply, cached);
      else done();
    },

    send(req, reply, body, servedPrompt) {
      const actor = actorOf(req);
      const etag = etagOf(actor);
      const headers = formatHeaders({ ...commonHeaders, etag, 'cache-control': 'private, no-cache', vary: 'authorization, cookie' });
      const route = req.routeOptions.url ?? '';
      const response: CachedResponse = {
        etag,
        full: prepareResponse({ route, status: 200, headers, json: JSON.stringify(body), servedPrompt }),
        notModified: prepareResponse({ route, status: 304, headers, servedPrompt }),
      };
      responses.set(cacheKey(actor, req.raw), response);
      return sendPrepared(req, reply, choose(response, req.raw));
    },
  };
}

function cacheKey({ workspaceId, revision }: Actor, { url }: IncomingMessage): string {
  return `${workspaceId} ${revision} ${url}`;
}

/** Weak, because a write between the key lookup and the read is already in the body, under the tag of the revision before. */
function etagOf({ workspaceId, revision }: Actor): string {
  return `W/"${version}-${workspaceId.slice(-8)}-${revision.toString(36)}"`;
}

function choose({ etag, full, notModified }: CachedResponse, { headers }: IncomingMessage): PreparedResponse {
  return matches(headers['if-none-match'], etag) ? notModified : full;
}

/** `If-None-Match` may list several tags or be `*`, and a proxy may have made a weak tag strong. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*' || `W/${tag.trim()}` === etag);
}
