import { AppError } from '../../errors.ts';
import type { App } from '../fastify.ts';

const maxLagMs = 1000;
const sampleEveryMs = 500;
/** What an operator looks at to find out what is wrong. */
const alwaysServed = new Set<string | undefined>(['/healthz', '/metrics']);

/**
 * Refuses requests while the event loop cannot keep up, so that those already taken come to an end. Measured once it
 * listens: a start blocks the loop by itself, and would make the service refuse those who waited for it.
 */
export function shedLoad(app: App): { isOverloaded(): boolean } {
  let sampling: NodeJS.Timeout | undefined;
  let isOverloaded = false;

  app.addHook('onListen', async () => {
    let due = performance.now() + sampleEveryMs;
    sampling = setInterval(() => {
      const now = performance.now();
      isOverloaded = now - due > maxLagMs;
      due = now + sampleEveryMs;
    }, sampleEveryMs).unref();
  });
  app.addHook('onClose', async () => clearInterval(sampling));
  app.addHook('onRequest', (req, _reply, done) => {
    done(isOverloaded && !alwaysServed.has(req.routeOptions.url) ? new AppError('overloaded') : undefined);
  });
  return { isOverloaded: () => isOverloaded };
}
