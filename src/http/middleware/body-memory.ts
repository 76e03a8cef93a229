import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { addToCount } from '../../platform/add-to-count.ts';
import { networkOf } from '../../platform/networks.ts';
import { byteLimits } from '../../platform/scheduling/limits.ts';

const maxBytes = byteLimits.bodies;
/**
 * The minimum size of a body that counts. Smaller bodies are not counted, because each connection has at most one body, and the number of
 * connections is limited.
 */
export const largeBodyBytes = 32 * 1024;

/**
 * Refuses a large body before it arrives if the bodies of the same workspace, or of all workspaces, take too much memory. The limit is
 * needed, because a body may arrive slowly or wait in a queue. Imports are streams with their own limit.
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
      // The connection is closed, because the rest of the body is not read.
      reply.header('connection', 'close');
      throw new AppError(isTooMuch ? 'too_many_concurrent' : 'overloaded');
    }
    // The client may have disconnected while its key was looked up. In that case, nothing else would release the bytes.
    if (reply.raw.destroyed) throw new AppError('bad_request');
    add(tenant, bytes);
    reply.raw.once('close', () => add(tenant, -bytes));
  });
}

/** Returns the size of the body according to its header. Without this header, returns the maximum size. */
export function bodyBytesOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  return Math.min(Number(headers['content-length'] ?? 0), bodyLimit);
}
