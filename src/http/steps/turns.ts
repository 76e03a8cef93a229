import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { createFairQueue } from '../../domain/fair-queue.ts';
import type { App } from '../fastify.ts';
import { parseJson } from './body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the request's turn, if it has one. */
    endTurn: (() => void) | undefined;
  }
  interface FastifyContextConfig {
    /** Takes no turn unless its body is large. */
    isQuick?: boolean;
  }
}

const limits = { running: 1000, runningPerTenant: 2, waitingPerTenant: 100, waiting: 10_000, waitTimeoutMs: 10_000 };
const largeBodyBytes = 32 * 1024;

/**
 * Runs the requests of one workspace a few at a time, except those that are served from the cache or always quick. All workspaces
 * share the event loop, so the requests of others run in between. A turn begins when the whole request has arrived and ends when
 * its response is ready, so that a slow client holds nobody up.
 */
export function takeTurns(app: App): void {
  const queue = createFairQueue(limits);

  async function takeTurn(req: FastifyRequest): Promise<void> {
    if (!req.actor) return;
    const { promise: start, resolve, reject } = Promise.withResolvers<void>();
    let hasWaited = false;
    const turn = async () => {
      if (hasWaited) await nextTurn();
      const { promise: end, resolve: endTurn } = Promise.withResolvers<void>();
      req.endTurn = endTurn;
      resolve();
      await end;
    };
    queue.run(req.actor.workspaceId, turn).catch(reject);
    hasWaited = true;
    await start;
  }

  app.decorateRequest('endTurn', undefined);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (req: FastifyRequest, body: Buffer) => {
    if (!isQuick(req) || body.length > largeBodyBytes) await takeTurn(req);
    return parseJson(body);
  });
  // A request without a body is never parsed.
  app.addHook('preValidation', async (req) => {
    if (!req.endTurn && !isQuick(req)) await takeTurn(req);
  });
  app.addHook('onSend', (req, _reply, payload, done) => {
    req.endTurn?.();
    done(null, payload);
  });
}

function isQuick({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isQuick === true;
}
