import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { createTurnstile } from '../../platform/event-loop.ts';
import { networkOf } from '../../platform/networks.ts';
import type { App } from '../fastify.ts';

/** Of bodies that are in memory at once. */
const maxBytes = { ofTenant: 8 * 1024 * 1024, ofAll: 128 * 1024 * 1024 };
/** There can only be as many smaller ones as connections, which are limited too. */
export const largeBodyBytes = 32 * 1024;

/**
 * Refuses large bodies before they arrive, if those of the same workspace or of all take too much memory: a body may arrive slowly, or wait
 * for its turn. Lines that are imported have a limit of their own.
 */
export function limitBodyMemory(app: App): void {
  const turn = createTurnstile();
  const held = new Map<string, number>();
  let heldByAll = 0;

  function add(tenant: string, bytes: number): void {
    const own = (held.get(tenant) ?? 0) + bytes;
    if (own > 0) held.set(tenant, own);
    else held.delete(tenant);
    heldByAll += bytes;
  }

  app.addHook('preParsing', async (req, reply, payload) => {
    const bytes = bodyBytesOf(req);
    if (bytes <= largeBodyBytes || req.routeOptions.config.takesLines) return payload;
    const tenant = req.actor?.workspaceId ?? networkOf(req.ip);
    const isTooMuch = (held.get(tenant) ?? 0) + bytes > maxBytes.ofTenant;
    if (isTooMuch || heldByAll + bytes > maxBytes.ofAll) {
      // What is left of the body is not read.
      reply.header('connection', 'close');
      throw new AppError(isTooMuch ? 'too_many_concurrent' : 'overloaded');
    }
    // A client that has left while its key was looked up: nobody would take the bytes away again.
    if (reply.raw.destroyed) throw new AppError('bad_request');
    add(tenant, bytes);
    reply.raw.once('close', () => add(tenant, -bytes));
    const body = Readable.from(readInTurns(payload, () => turn(tenant)));
    // Fastify no longer listens once the body is too large, and the client may leave after that: an error without a listener ends the process.
    return body.on('error', () => undefined);
  });
}

/** A piece in each turn of the event loop, so that many large bodies at once do not delay others. */
async function* readInTurns(payload: Readable, turn: () => Promise<void>): AsyncGenerator<Buffer> {
  for await (const piece of payload) {
    await turn();
    // Requests have no encoding, so their pieces are bytes.
    yield piece as Buffer;
  }
}

/** As many as are declared, or may come. */
export function bodyBytesOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  return Math.min(Number(headers['content-length'] ?? 0), bodyLimit);
}
