import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Account } from '../store/accounts.ts';
import { version } from '../version.ts';
import { actorOf } from './auth.ts';
import { layOutHeaders, type PreparedAnswer, prepareAnswer } from './prepared-answer.ts';
import type { Served } from './served.ts';

/** What a route answers with, and which prompt that was, if it was one. */
export interface Answer {
  body: unknown;
  served?: Served;
}

interface KeptAnswer {
  etag: string;
  full: PreparedAnswer;
  /** For callers who have it already. It too is a call of its prompt. */
  notModified: PreparedAnswer;
}

export interface Answers {
  /** The answer that is kept for this account and address. */
  recall(account: Account, req: IncomingMessage): PreparedAnswer | undefined;
  /** A route step behind authentication: answers from memory where it can. */
  fromMemory(req: FastifyRequest, reply: FastifyReply, done: () => void): void;
  /** Sends an answer and keeps it for the next who asks the same. */
  send(req: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply;
}

const maxBytes = 64 * 1024 * 1024;
const maxAnswerBytes = 2 * 1024 * 1024;
/** What an answer takes in memory besides its bytes, about. */
const overheadBytes = 1000;

/**
 * Serialised answers by account, revision and address. Every write to an account's prompts raises its revision in the same
 * transaction, and the key lookup of each request returns it: what is found under the current revision cannot be stale.
 */
export function createAnswers(common: Record<string, string>): Answers {
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: maxBytes,
    maxEntrySize: maxAnswerBytes,
    sizeCalculation: ({ full }, key) => full.bytes.length + key.length + overheadBytes,
  });

  function recall(account: Account, req: IncomingMessage): PreparedAnswer | undefined {
    const found = kept.get(keyOf(account, req));
    return found && choose(found, req);
  }

  return {
    recall,

    fromMemory(req, reply, done) {
      const found = recall(actorOf(req).account, req.raw);
      // Where nothing is kept, a prompt that did not change is read once more, to know which it is.
      if (found) sendPrepared(req, reply, found);
      else done();
    },

    send(req, reply, { body, served }) {
      const { account } = actorOf(req);
      const etag = etagOf(account);
      const lines = layOutHeaders({ ...common, etag, 'cache-control': 'private, no-cache', vary: 'authorization, cookie' });
      const route = req.routeOptions.url ?? '';
      const answer: KeptAnswer = {
        etag,
        full: prepareAnswer({ route, status: 200, lines, json: JSON.stringify(body), served }),
        notModified: prepareAnswer({ route, status: 304, lines, served }),
      };
      kept.set(keyOf(account, req.raw), answer);
      return sendPrepared(req, reply, choose(answer, req.raw));
    },
  };
}

function keyOf({ id, revision }: Account, { url }: IncomingMessage): string {
  return `${id} ${revision} ${url}`;
}

/** Weak: a write that falls between the key lookup and the read shows already, under the tag of the revision before. */
function etagOf({ id, revision }: Account): string {
  return `W/"${version}-${id.slice(-8)}-${revision.toString(36)}"`;
}

function choose({ etag, full, notModified }: KeptAnswer, { headers }: IncomingMessage): PreparedAnswer {
  return isKnown(headers['if-none-match'], etag) ? notModified : full;
}

/** `If-None-Match` may list several tags, or none in particular, and a proxy may have made a weak one strong. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*' || `W/${tag.trim()}` === etag);
}

function sendPrepared(req: FastifyRequest, reply: FastifyReply, { status, lines, bytes, served }: PreparedAnswer): FastifyReply {
  req.served = served;
  reply.status(status);
  // The request's id, the first, is in place already.
  for (let index = 2; index < lines.length; index += 2) reply.header(lines[index] ?? '', lines[index + 1]);
  return status === 304 ? reply.send() : reply.send(Buffer.from(bytes, 'latin1'));
}
