import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { version } from '../version.ts';
import { actorOf } from './auth.ts';
import type { Served } from './served.ts';

/** What a route answers with, and which prompt that was, if it was one. */
export interface Answer {
  body: unknown;
  served?: Served;
}

interface KeptAnswer {
  json: Buffer;
  served: Served | undefined;
}

export interface Answers {
  /** A route step behind authentication: answers from memory, or with 304, where it can. */
  fromMemory(req: FastifyRequest, reply: FastifyReply, done: () => void): void;
  /** Sends an answer and keeps it for the next who asks the same. */
  send(req: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply;
}

const maxBytes = 64 * 1024 * 1024;
const maxAnswerBytes = 2 * 1024 * 1024;

/**
 * Serialised answers by account, revision and address. Every write to an account's prompts raises its revision in the same
 * transaction, and the key lookup of each request returns it: what is found under the current revision cannot be stale.
 */
export function createAnswers(): Answers {
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: maxBytes,
    maxEntrySize: maxAnswerBytes,
    sizeCalculation: ({ json }, key) => json.length + key.length + 200,
  });

  return {
    fromMemory(req, reply, done) {
      const found = kept.get(keyOf(req));
      // A 304 too is a call of its prompt; where nothing is kept the prompt is read once more, to know which it is.
      if (!found) return done();
      req.served = found.served;
      sendJson(req, reply, found.json);
    },

    send(req, reply, { body, served }) {
      const json = Buffer.from(JSON.stringify(body));
      kept.set(keyOf(req), { json, served });
      req.served = served;
      return sendJson(req, reply, json);
    },
  };
}

function keyOf(req: FastifyRequest): string {
  const { id, revision } = actorOf(req).account;
  return `${id} ${revision} ${req.raw.url}`;
}

/** Weak: a write that falls between the key lookup and the read shows already, under the tag of the revision before. */
function etagOf(req: FastifyRequest): string {
  const { id, revision } = actorOf(req).account;
  return `W/"${version}-${id.slice(-8)}-${revision.toString(36)}"`;
}

/** `If-None-Match` may list several tags, or none in particular, and a proxy may have made a weak one strong. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*' || `W/${tag.trim()}` === etag);
}

function sendJson(req: FastifyRequest, reply: FastifyReply, json: Buffer): FastifyReply {
  const etag = etagOf(req);
  if (isKnown(req.headers['if-none-match'], etag)) return withHeaders(reply, etag).status(304).send();
  return withHeaders(reply, etag).header('content-type', 'application/json; charset=utf-8').send(json);
}

function withHeaders(reply: FastifyReply, etag: string): FastifyReply {
  return reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'authorization, cookie');
}
