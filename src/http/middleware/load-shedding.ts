import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';

const tickIntervalMs = 250;
/** The time over which the moving average decays. A delay that happened this long ago counts about a third as much as a current one. */
const memoryMs = 2000;
/** The maximum delay that counts for a single tick, so that one long pause never counts as an overload. */
const maxTickMs = 1000;
/**
 * A tick with a longer delay counts as late. The value is lower while requests are rejected, so that the service accepts requests again
 * only when the event loop has clearly recovered.
 */
const lateMs = { usually: 500, whileShedding: 100 };
/**
 * The service starts and stops rejecting requests at these shares of time lost to late ticks. The two values are far apart, so that a
 * service at its limit does not switch back and forth.
 */
const shedAbove = 0.6;
const recoverBelow = 0.3;
/** The routes that are always served, because operators need them to diagnose the overload. */
const alwaysServed = new Set<string | undefined>(['/healthz', '/metrics']);

/**
 * Rejects requests while the event loop lags for seconds, so that requests that are already accepted can finish. Sampling starts when the
 * service listens, because the start itself blocks the event loop.
 */
export function shedLoad(app: FastifyInstance): { isOverloaded(): boolean } {
  const monitor = createLagMonitor();
  let sampling: NodeJS.Timeout | undefined;

  app.addHook('onListen', async () => {
    monitor.tick(performance.now());
    sampling = setInterval(() => monitor.tick(performance.now()), tickIntervalMs).unref();
  });
  app.addHook('onClose', async () => clearInterval(sampling));
  app.addHook('onRequest', (req, _reply, done) => {
    done(monitor.isOverloaded() && !alwaysServed.has(req.routeOptions.url) ? new AppError('overloaded') : undefined);
  });
  return monitor;
}

/** Keeps a moving average, weighted by time, of the share of time that was lost to late ticks. */
export function createLagMonitor() {
  let previousMs: number | undefined;
  let lostShare = 0;
  let isOverloaded = false;
  return {
    /** Records a tick. Call this every `tickIntervalMs`. The calls are late if the event loop is busy. */
    tick(nowMs: number): void {
      if (previousMs !== undefined) {
        const elapsedMs = nowMs - previousMs;
        const lagMs = elapsedMs - tickIntervalMs;
        const isLate = lagMs > (isOverloaded ? lateMs.whileShedding : lateMs.usually);
        const weight = 1 - Math.exp(-Math.min(elapsedMs, maxTickMs) / memoryMs);
        lostShare += weight * ((isLate ? lagMs / elapsedMs : 0) - lostShare);
        isOverloaded = lostShare > (isOverloaded ? recoverBelow : shedAbove);
      }
      previousMs = nowMs;
    },
    isOverloaded: () => isOverloaded,
  };
}
