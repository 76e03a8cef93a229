import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type AppError, isDatabaseUnavailable } from '../../errors.ts';
import { networkOf } from '../../platform/networks.ts';
import { createFairQueue } from '../../platform/scheduling/fair-queue.ts';
import type { App } from '../fastify.ts';
import { parseJson } from './body.ts';
import { largeBodyBytes } from './body-memory.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Waits for a turn of the workspace, unless the request has one. */
    takeTurn(): Promise<void>;
    /** Ends the request's turn, if it has one, with the error that is its response. */
    endTurn: ((err?: AppError) => void) | undefined;
  }
  interface FastifyContextConfig {
    /** Whether its requests take turns: all of them, or only those with a large body. */
    turns?: 'all' | 'large';
  }
}

const limits = {
  running: 1000,
  runningPerTenant: 2,
  waitingPerTenant: 100,
  waiting: 10_000,
  waitTimeoutMs: 10_000,
  isShared: isDatabaseUnavailable,
};
const strangerLimits = { running: 1, runningPerTenant: 1, waitingPerTenant: 10_000, waiting: 10_000, waitTimeoutMs: 10_000 };

/**
 * Parses bodies, and runs the requests of one workspace that might take long a few at a time. All workspaces share the event loop, so
 * the requests of others run in between. A turn begins when the whole request has arrived and ends when its response is ready, so that
 * a slow client holds nobody up.
 */
export function takeTurns(app: App): void {
  const queue = createFairQueue(limits);
  const strangers = createFairQueue(strangerLimits);

  async function takeTurn(req: FastifyRequest): Promise<void> {
    if (!req.actor || req.endTurn) return;
    const { promise: start, resolve, reject } = Promise.withResolvers<void>();
    const turn = async () => {
      const { promise: end, resolve: endTurn } = Promise.withResolvers<AppError | undefined>();
      req.endTurn = endTurn;
      resolve();
      const err = await end;
      if (err) throw err;
    };
    queue.run(req.actor.workspaceId, turn).catch(reject);
    await start;
  }

  app.decorateRequest('endTurn', undefined);
  app.decorateRequest('takeTurn', function () {
    return takeTurn(this);
  });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (req: FastifyRequest, body: Buffer) => {
    const { turns } = req.routeOptions.config;
    if (turns === 'all' || (turns === 'large' && body.length > largeBodyBytes)) await takeTurn(req);
    return parseJson(body);
  });
  app.addHook('preValidation', async (req) => {
    // Many sign-ins at once begin one by one, each network in turn, so that other requests are served in between.
    if (!req.actor && req.method !== 'GET') await strangers.run(networkOf(req.ip), nextTurn);
    // A request without a body is never parsed. An import has a slot instead, because its body is still arriving.
    const { turns, takesLines } = req.routeOptions.config;
    if (turns === 'all' && !takesLines) await takeTurn(req);
  });
  app.addHook('onSend', (req, _reply, payload, done) => {
    req.endTurn?.(undefined);
    done(null, payload);
  });
}
