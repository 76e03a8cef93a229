import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Account } from '../store/accounts.ts';
import { version } from '../version.ts';
import { actorOf } from './auth.ts';
import type { Served } from './served.ts';

/** What a route answers with, and which prompt that was, if it was one. */
export interface Answer {
  body: unknown;
  served?: Served;
}

interface KeptAnswer {
  /** The route that gave it. */
  route: string;
  /** As text: Node sends it in one piece with the headers, where bytes would take a piece of their own. */
  json: string;
  byteLength: number;
  served: Served | undefined;
}

/** An answer from memory, ready to be sent: in full, or 304 where the caller has it already. */
export interface RecalledAnswer extends KeptAnswer {
  status: 200 | 304;
  headers: [string, string][];
}

export interface Answers {
  /** The answer that is kept for this account and address. */
  recall(account: Account, req: IncomingMessage): RecalledAnswer | undefined;
  /** A route step behind authentication: answers from memory where it can. */
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
    sizeCalculation: ({ byteLength }, key) => byteLength + key.length + 200,
  });

  function recall(account: Account, req: IncomingMessage): RecalledAnswer | undefined {
    const found = kept.get(keyOf(account, req));
    return found && prepare(found, account, req);
  }

  return {
    recall,

    fromMemory(req, reply, done) {
      const found = recall(actorOf(req).account, req.raw);
      // A 304 too is a call of its prompt; where nothing is kept the prompt is read once more, to know which it is.
      if (found) sendRecalled(req, reply, found);
      else done();
    },

    send(req, reply, { body, served }) {
      const { account } = actorOf(req);
      const json = JSON.stringify(body);
      const answer: KeptAnswer = { route: req.routeOptions.url ?? '', json, byteLength: Buffer.byteLength(json), served };
      kept.set(keyOf(account, req.raw), answer);
      return sendRecalled(req, reply, prepare(answer, account, req.raw));
    },
  };
}

function keyOf({ id, revision }: Account, { url }: IncomingMessage): string {
  return `${id} ${revision} ${url}`;
}

function prepare(answer: KeptAnswer, account: Account, { headers }: IncomingMessage): RecalledAnswer {
  const etag = etagOf(account);
  return {
    ...answer,
    status: isKnown(headers['if-none-match'], etag) ? 304 : 200,
    headers: [
      ['etag', etag],
      ['cache-control', 'private, no-cache'],
      ['vary', 'authorization, cookie'],
    ],
  };
}

/** Weak: a write that falls between the key lookup and the read shows already, under the tag of the revision before. */
function etagOf({ id, revision }: Account): string {
  return `W/"${version}-${id.slice(-8)}-${revision.toString(36)}"`;
}

/** `If-None-Match` may list several tags, or none in particular, and a proxy may have made a weak one strong. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*' || `W/${tag.trim()}` === etag);
}

function sendRecalled(req: FastifyRequest, reply: FastifyReply, { status, headers, json, served }: RecalledAnswer): FastifyReply {
  req.served = served;
  for (const [name, value] of headers) reply.header(name, value);
  if (status === 304) return reply.status(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(json);
}
