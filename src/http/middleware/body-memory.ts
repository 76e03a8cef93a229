import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { addToCount } from '../../platform/add-to-count.ts';
import { networkOf } from '../../platform/networks.ts';
import { byteLimits } from '../../platform/scheduling/limits.ts';

const maxBytes = byteLimits.bodies;
/** Smaller bodies are not counted: there can only be as many as connections, which are limited too. */
export const largeBodyBytes = 32 * 1024;

/**
 * Refuses large bodies before they arrive, if those of the same workspace or of all take too much memory: a body may arrive slowly, or wait
 * for its turn. Imports are streams with a limit of their own.
 */
export function limitBodyMemory(app: FastifyInstance): void {
  const held = new Map<string, number>();
  let heldByAll = 0;

  function add(tenant: string, bytes: number): void {
    addToCount(held, tenant, bytes);
    heldByAll += bytes;
  }

  app.addHook('preParsing', async (req, reply) => {
    const bytes = bodyBytesOf(req);
    if (bytes <= largeBodyBytes || req.routeOptions.config.takesLines) return;
    const tenant = req.actor?.workspaceId ?? networkOf(req.ip);
    const isTooMuch = (held.get(tenant) ?? 0) + bytes > maxBytes.perTenant;
    if (isTooMuch || heldByAll + bytes > maxBytes.total) {
      // The rest of the body is not read.
      reply.header('connection', 'close');
      throw new AppError(isTooMuch ? 'too_many_concurrent' : 'overloaded');
    }
    // The client may have left while its key was looked up. Then nothing would release the bytes.
    if (reply.raw.destroyed) throw new AppError('bad_request');
    add(tenant, bytes);
    reply.raw.once('close', () => add(tenant, -bytes));
  });
}

/** How many bytes the body declares, or may have. */
export function bodyBytesOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  return Math.min(Number(headers['content-length'] ?? 0), bodyLimit);
}
