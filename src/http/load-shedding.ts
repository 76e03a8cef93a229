import { AppError } from '../errors.ts';
import type { App } from './routes/route.ts';

const maxLagMs = 1000;
const sampleEveryMs = 500;

/**
 * Refuses requests while the event loop cannot keep up, so that those already taken come to an end. Measured once it
 * listens: a start blocks the loop by itself, and would make the service refuse those who waited for it.
 */
export function shedLoad(app: App): void {
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
    done(isOverloaded && req.routeOptions.url !== '/healthz' ? new AppError('overloaded') : undefined);
  });
}
