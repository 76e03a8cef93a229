import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { createMetrics, type Metrics, metricsContentType } from '../observability/metrics.ts';
import type { Routes } from './route.ts';

/** Metrics for the operator. If METRICS_TOKEN is set, requests must send it. Otherwise, only this machine may read the metrics. */
export const metricsRoutes: Routes = ({ app, ctx, requestMetrics, metricsToken }) => {
  let metrics: Metrics | undefined;
  app.addHook('onClose', async () => metrics?.close());

  app.get('/metrics', { onRequest: metricsToken === undefined ? assertLocal : assertToken(metricsToken) }, async (_req, reply) => {
    metrics ??= createMetrics(ctx, requestMetrics);
    return reply.type(metricsContentType).send(metrics.render());
  });
};

function assertToken(token: string) {
  // Digests have equal lengths, so the comparison takes constant time for any input.
  const expected = hash('sha256', `bearer ${token}`, 'buffer');
  return async (req: FastifyRequest): Promise<void> => {
    const [scheme = '', ...rest] = (req.headers.authorization ?? '').split(' ');
    const given = hash('sha256', `${scheme.toLowerCase()} ${rest.join(' ')}`, 'buffer');
    if (!timingSafeEqual(given, expected)) throw new AppError('unauthorized');
  };
}

/**
 * Rejects forwarded requests, because a proxy on this machine connects from loopback on behalf of other machines. Also rejects unknown host
 * names, because a web page that is open on this machine can make its own host name resolve to loopback (DNS rebinding).
 */
async function assertLocal(req: FastifyRequest): Promise<void> {
  const isForwarded = forwardingHeaders.some((name) => req.headers[name] !== undefined);
  const isLocal = isLoopback(req.raw.socket.remoteAddress ?? '') && localHost.test(req.headers.host ?? '');
  if (isForwarded || !isLocal) throw new AppError('metrics_forbidden');
}

const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];
const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
