import { AppError } from '../../errors.ts';
import type { App } from '../fastify.ts';

const sampleIntervalMs = 250;
/** Few enough to detect a lasting overload within seconds, many enough to ignore a garbage collection. */
const sampleCount = 7;
const shedAboveMs = 500;
/** Well below the other limit, so that a service at its limit does not switch back and forth. */
const recoverBelowMs = 100;
/** Operators need these to diagnose the overload. */
const alwaysServed = new Set<string | undefined>(['/healthz', '/metrics']);

/**
 * Rejects requests while the event loop lags for seconds, so that those already accepted can finish. Sampling starts when the service
 * listens, because the start itself blocks the event loop.
 */
export function shedLoad(app: App): { isOverloaded(): boolean } {
  const monitor = createLagMonitor();
  let sampling: NodeJS.Timeout | undefined;

  app.addHook('onListen', async () => {
    let due = performance.now() + sampleIntervalMs;
    sampling = setInterval(() => {
      const now = performance.now();
      monitor.record(now - due);
      due = now + sampleIntervalMs;
    }, sampleIntervalMs).unref();
  });
  app.addHook('onClose', async () => clearInterval(sampling));
  app.addHook('onRequest', (req, _reply, done) => {
    done(monitor.isOverloaded() && !alwaysServed.has(req.routeOptions.url) ? new AppError('overloaded') : undefined);
  });
  return monitor;
}

/** Decides by the median of the last samples: one late sample changes nothing. */
export function createLagMonitor(): { record(lagMs: number): void; isOverloaded(): boolean } {
  const lags = Array<number>(sampleCount).fill(0);
  let next = 0;
  let isOverloaded = false;
  return {
    record(lagMs) {
      lags[next] = lagMs;
      next = (next + 1) % sampleCount;
      const median = lags.toSorted((a, b) => a - b)[(sampleCount - 1) / 2] ?? 0;
      isOverloaded = median > (isOverloaded ? recoverBelowMs : shedAboveMs);
    },
    isOverloaded: () => isOverloaded,
  };
}
