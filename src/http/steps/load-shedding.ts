import { AppError } from '../../errors.ts';
import type { App } from '../fastify.ts';

const maxLagMs = 1000;
const sampleIntervalMs = 500;
/** Operators need these to diagnose the overload. */
const alwaysServed = new Set<string | undefined>(['/healthz', '/metrics']);

/**
 * Rejects requests while the event loop lags, so that those already accepted can finish. Sampling starts when the service listens,
 * because the start itself blocks the event loop.
 */
export function shedLoad(app: App): { isOverloaded(): boolean } {
  let sampling: NodeJS.Timeout | undefined;
  let isOverloaded = false;

  app.addHook('onListen', async () => {
    let due = performance.now() + sampleIntervalMs;
    sampling = setInterval(() => {
      const now = performance.now();
      isOverloaded = now - due > maxLagMs;
      due = now + sampleIntervalMs;
    }, sampleIntervalMs).unref();
  });
  app.addHook('onClose', async () => clearInterval(sampling));
  app.addHook('onRequest', (req, _reply, done) => {
    done(isOverloaded && !alwaysServed.has(req.routeOptions.url) ? new AppError('overloaded') : undefined);
  });
  return { isOverloaded: () => isOverloaded };
}
