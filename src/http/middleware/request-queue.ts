import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppError } from '../../errors.ts';
import { networkOf } from '../../platform/networks.ts';
import { createFairQueue } from '../../platform/scheduling/fair-queue.ts';
import { queueLimits } from '../../platform/scheduling/limits.ts';
import { parseJson } from './body.ts';
import { largeBodyBytes } from './body-memory.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Waits in the workspace's queue, unless the request already has a slot. */
    enterQueue(): Promise<void>;
    /** Frees the request's slot, if it has one. `err` is the error that was sent as the response. */
    leaveQueue: ((err?: AppError) => void) | undefined;
  }
  interface FastifyContextConfig {
    /** The requests of the route that wait in their workspace's queue: all of them, or only those with a large body. */
    queued?: 'all' | 'large';
  }
}

/**
 * Parses bodies, and runs only a few long requests of one workspace at a time. All workspaces share the event loop, so requests of other
 * workspaces run in between. A request gets its slot when it has arrived completely, and frees it when its response is ready, so that a
 * slow client delays nobody.
 */
export function queueRequests(app: FastifyInstance): void {
  const queue = createFairQueue(queueLimits.requests);
  const largeBodies = createFairQueue(queueLimits.largeBodies);
  const anonymousQueue = createFairQueue(queueLimits.anonymousRequests);

  async function enterQueue(req: FastifyRequest): Promise<void> {
    if (!req.actor || req.leaveQueue) return;
    const { promise: start, resolve, reject } = Promise.withResolvers<void>();
    const hold = async () => {
      const { promise: end, resolve: leaveQueue } = Promise.withResolvers<AppError | undefined>();
      req.leaveQueue = leaveQueue;
      resolve();
      const err = await end;
      if (err) throw err;
    };
    queue.run(req.actor.workspaceId, hold).catch(reject);
    await start;
  }

  app.decorateRequest('leaveQueue', undefined);
  app.decorateRequest('enterQueue', function () {
    return enterQueue(this);
  });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (req: FastifyRequest, body: Buffer) => {
    const { queued, takesReport } = req.routeOptions.config;
    // Reports wait in the queue of the thread that parses them.
    if (takesReport) return body;
    const isLarge = body.length > largeBodyBytes;
    if (queued === 'all' || (queued === 'large' && isLarge)) await enterQueue(req);
    if (req.actor && isLarge) return largeBodies.run(req.actor.workspaceId, async () => parseJson(body));
    return parseJson(body);
  });
  app.addHook('preValidation', async (req) => {
    // Simultaneous sign-ins from one network start one after another, so that other requests are served in between.
    if (!req.actor && req.method !== 'GET') await anonymousQueue.run(networkOf(req.ip), async () => undefined);
    // A request without a body is never parsed, so it is queued here. An import takes an import slot instead, because its body is still
    // arriving.
    const { queued, takesLines } = req.routeOptions.config;
    if (queued === 'all' && !takesLines) await enterQueue(req);
  });
  app.addHook('onSend', (req, _reply, payload, done) => {
    req.leaveQueue?.(undefined);
    done(null, payload);
  });
}
