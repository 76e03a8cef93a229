import type { FastifyRequest } from 'fastify';
import { type AppError, isDatabaseUnavailable } from '../../errors.ts';
import { createTurnstile, pause, yieldIfLong } from '../../platform/event-loop.ts';
import { networkOf } from '../../platform/networks.ts';
import { createFairQueue } from '../../platform/scheduling/fair-queue.ts';
import type { App } from '../fastify.ts';
import { parseJson } from './body.ts';
import { largeBodyBytes } from './body-memory.ts';

declare module 'fastify' {
  interface FastifyRequest {
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
/** Before a request that has waited for others of its workspace. */
const turnsForOthers = 12;

/**
 * Parses bodies, and runs the requests of one workspace that might take long a few at a time. All workspaces share the event loop, so
 * the requests of others run in between. A turn begins when the whole request has arrived and ends when its response is ready, so that
 * a slow client holds nobody up.
 */
export function takeTurns(app: App): void {
  const queue = createFairQueue(limits);
  const strangersTurn = createTurnstile();
  const largeBodiesTurn = createTurnstile();

  async function takeTurn(req: FastifyRequest): Promise<void> {
    if (!req.actor) return;
    const { promise: start, resolve, reject } = Promise.withResolvers<void>();
    let hasWaited = false;
    const turn = async () => {
      if (hasWaited) await pause(turnsForOthers);
      const { promise: end, resolve: endTurn } = Promise.withResolvers<AppError | undefined>();
      req.endTurn = (err) => endTurn(err);
      resolve();
      const err = await end;
      if (err) throw err;
    };
    queue.run(req.actor.workspaceId, turn).catch(reject);
    hasWaited = true;
    await start;
  }

  app.decorateRequest('endTurn', undefined);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (req: FastifyRequest, body: Buffer) => {
    const { turns } = req.routeOptions.config;
    if (turns === 'all' || (turns === 'large' && body.length > largeBodyBytes)) await takeTurn(req);
    if (body.length <= largeBodyBytes) return parseJson(body);
    // Parsing has no pauses, so no two of them belong in one turn.
    await largeBodiesTurn(req.actor?.workspaceId ?? networkOf(req.ip));
    await yieldIfLong();
    const parsed = parseJson(body);
    await yieldIfLong();
    return parsed;
  });
  // A request without a body is never parsed.
  app.addHook('preValidation', async (req) => {
    if (!req.actor && req.method !== 'GET') await strangersTurn(networkOf(req.ip));
    if (!req.endTurn && req.routeOptions.config.turns === 'all') await takeTurn(req);
  });
  app.addHook('onSend', (req, _reply, payload, done) => {
    req.endTurn?.();
    done(null, payload);
  });
}
