import type { RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Context } from '../domain/context.ts';
import { readTraceId, runInTrace } from '../platform/trace-context.ts';
import { findMaxConnections, limitConnections } from './connection-limits.ts';
import { createEventStreams } from './event-stream.ts';
import { addFastPath } from './fast-path/fast-path.ts';
import { createRenderResponse } from './fast-path/render-request.ts';
import { createAuthentication, createConfirmation } from './middleware/authentication.ts';
import { createChallengeCookie, createDeviceCookie, createProviderCookie, createSessionCookie } from './middleware/cookies.ts';
import { createProtocolErrorHandler } from './middleware/errors.ts';
import { shedLoad } from './middleware/load-shedding.ts';
import { collectMethods } from './middleware/methods.ts';
import { assertSameOrigin, listeningOrigin } from './middleware/origin.ts';
import { createRateLimit, tooManyWrites } from './middleware/rate-limit.ts';
import { createReceive } from './middleware/receive.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { createAccessLog } from './observability/access-log.ts';
import { createFindAddress } from './observability/client-address.ts';
import { createRequestLog, toCompletedRequest } from './observability/completed-request.ts';
import { createRejectionLog } from './observability/rejection-log.ts';
import { createRequestCounter, createRequestMetrics } from './observability/request-metrics.ts';
import { servePipelinesInOrder } from './pipelining.ts';
import { refuseOtherProtocols } from './protocol.ts';
import { createExportSender } from './responses/export-response.ts';
import { createResponseCache } from './responses/response-cache.ts';
import { createTokenResponse } from './responses/token-response.ts';
import { addRoutes } from './routes/index.ts';
import { createRoute } from './routes/operation.ts';
import { acceptOnSecondAddress } from './second-address.ts';
import { createServer } from './server.ts';

export { listeningOrigin } from './middleware/origin.ts';

interface AppOptions {
  config: Pick<
    Config,
    'host' | 'publicUrl' | 'trustProxy' | 'rateLimitPerMinute' | 'writeLimitPerMinute' | 'metricsToken' | 'maxConnections'
  >;
  ctx: Context;
  logger: Logger;
  /** Whether the service is about to stop, so that load balancers stop sending requests. */
  isDraining?: () => boolean;
  /** Whether calls are counted. Only the benchmark that measures the cost of counting sets this to false. */
  isCounting?: boolean;
  /** Called with every route when it is registered. */
  onRoute?: ((route: RouteOptions) => void) | undefined;
}

const drainTimeoutMs = 5000;

/** Builds the HTTP service from its middleware and routes. The returned service does not listen yet. */
export async function buildApp({ config, ctx, logger, isCounting = true, isDraining = () => false, onRoute }: AppOptions) {
  const { publicUrl, trustProxy, rateLimitPerMinute, writeLimitPerMinute, metricsToken } = config;
  const { maxConnections: max = findMaxConnections() } = config;
  const publicOrigin = publicUrl?.origin;
  const commonHeaders = securityHeaders(publicUrl);
  const requestMetrics = createRequestMetrics();
  const observers = [createAccessLog(logger), ...(isCounting ? [createRequestCounter(requestMetrics, ctx.recorder)] : [])];
  const log = createRequestLog(observers, (err) => logger.error({ err }, 'logging or counting requests failed'));

  const rejections = createRejectionLog(logger);
  const app = createServer({ commonHeaders, trustProxy, logger, log, rejections });
  limitConnections(app.server, { max, perAddress: trustProxy === false ? Math.ceil(max / 4) : undefined }, rejections);
  const eventStreams = createEventStreams();
  let isStopping = false;
  if (onRoute) app.addHook('onRoute', onRoute);
  app.decorateRequest('actor', undefined);
  app.decorateRequest('servedPrompt', undefined);
  app.decorateRequest('countedAs', undefined);
  app.decorateRequest('streamStartedMs', undefined);
  app.addHook('onRequest', createReceive(commonHeaders, collectMethods(app)));
  app.addHook('onResponse', (req, reply, done) => {
    log(toCompletedRequest(req, reply));
    done();
  });
  // Requests that the service makes on behalf of a caller continue the caller's trace. The hook runs after the body has been read: the
  // events that deliver the body belong to the connection, so a trace that was set before them would be lost.
  app.addHook('preHandler', (req, _reply, done) => {
    const traceId = readTraceId(req.headers.traceparent);
    if (traceId === undefined) done();
    else runInTrace(traceId, done);
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    eventStreams.close();
    ctx.modelRuns.stop();
  });
  app.addHook('onClose', async () => {
    await Promise.all([ctx.background.drain(drainTimeoutMs), ctx.mails.stop(drainTimeoutMs)]);
  });
  // This call adds an `onClose` hook that waits for the last requests. The hook must be added after the one above, which waits for emails:
  // `onClose` hooks run in reverse order, and the last requests may still send email.
  if (config.host === 'localhost') acceptOnSecondAddress(app, { max, logger });
  const load = shedLoad(app);

  const rateLimit = rateLimitPerMinute === undefined ? undefined : createRateLimit({ name: 'calls', perMinute: rateLimitPerMinute });
  const writeLimit = createRateLimit({ name: 'changes', perMinute: writeLimitPerMinute, text: tooManyWrites });
  const sessionCookie = createSessionCookie(publicUrl, ctx.store.sessionTimes.idleMs);
  app.addHook('preValidation', createConfirmation({ ctx, sessionCookie }));
  const responseCache = createResponseCache(commonHeaders);
  const prepareTokenResponse = createTokenResponse(commonHeaders);
  // If there is a rate limit, every request must pass the authentication middleware, which counts it.
  if (!rateLimit) {
    addFastPath(app, {
      ctx,
      responseCache,
      prepareTokenResponse,
      prepareRenderResponse: createRenderResponse(ctx, commonHeaders),
      log,
      findAddress: createFindAddress(trustProxy),
      onError: (err, id) => logger.error({ id, err }, 'a request failed before it reached the framework'),
      isBypassed: () => isStopping || load.isOverloaded(),
    });
  }
  const authentication = createAuthentication({ ctx, sessionCookie, publicOrigin, rateLimit, writeLimit });
  addRoutes({
    app,
    ctx,
    createRoute: (defaults) => createRoute(app, { authentication, responseCache }, defaults),
    sameOriginOnly: async (req) => assertSameOrigin(req, publicOrigin),
    writeLimit,
    sessionCookie,
    deviceCookie: createDeviceCookie(publicUrl),
    challengeCookie: createChallengeCookie(publicUrl),
    providerCookie: createProviderCookie(publicUrl),
    responseCache,
    sendExport: createExportSender({ app, ctx, sessionCookie }),
    eventStreams,
    isDraining,
    prepareTokenResponse,
    requestMetrics,
    metricsToken,
    publicOrigin,
    linkOrigin: () => publicOrigin ?? listeningOrigin(app.server, config.host),
  });

  refuseOtherProtocols(app.server, createProtocolErrorHandler(commonHeaders));
  servePipelinesInOrder(app.server, rejections);
  return app;
}
