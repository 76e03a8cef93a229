import type { IncomingMessage } from 'node:http';
import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController, type RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import type { Context } from '../domain/context.ts';
import type { Sessions } from '../domain/sessions.ts';
import { AppError } from '../errors.ts';
import { createAccessLog } from './access-log.ts';
import { createAnswers } from './answers.ts';
import { createAuthentication } from './auth.ts';
import { parseJson } from './body.ts';
import { handleClientError, handleError } from './errors.ts';
import { answerWrongMethods } from './methods.ts';
import { createRateLimit } from './rate-limit.ts';
import { requestIdOf } from './request-id.ts';
import './served.ts';
import { accountRoutes } from './routes/accounts.ts';
import { docsRoutes } from './routes/docs.ts';
import { healthRoutes } from './routes/health.ts';
import { promptRoutes } from './routes/prompts.ts';
import { renderingRoutes } from './routes/rendering.ts';
import type { RouteParts } from './routes/route.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { versionRoutes } from './routes/versions.ts';
import { compileValidator, type TypeBoxProvider } from './validation.ts';

export interface AppParts {
  ctx: Context;
  sessions: Sessions;
  publicUrl: URL | undefined;
  trustProxy: boolean | number | string[];
  rateLimitPerMinute: number | undefined;
  logger: Logger;
  /** Hears of every route as it is registered. */
  onRoute?: ((route: RouteOptions) => void) | undefined;
}

const maxEventLoopDelayMs = 1000;

/** Puts the HTTP service together. It does not listen yet. */
export async function buildApp({ ctx, sessions, publicUrl, trustProxy, rateLimitPerMinute, logger, onRoute }: AppParts) {
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // A logger of its own for each request costs more than all it would ever say; what is logged names the request instead.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'id' }),
    genReqId: requestIdOf,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    bodyLimit: 1_048_576,
    // A prompt's name has up to 200 characters, and each may come percent-encoded.
    routerOptions: { maxParamLength: 600 },
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 15_000, maxHeaderSize: 16_384 },
    clientErrorHandler: handleClientError,
    frameworkErrors: handleError,
    forceCloseConnections: 'idle',
  }).withTypeProvider<TypeBoxProvider>();

  app.setValidatorCompiler(compileValidator);
  app.setErrorHandler(handleError);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJson);

  if (onRoute) app.addHook('onRoute', onRoute);
  app.decorateRequest('actor', undefined);
  app.decorateRequest('served', undefined);
  app.addHook('onRequest', receive(publicUrl));
  app.addHook('onResponse', createAccessLog(logger));
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    pressureHandler: (req) => {
      if (req.routeOptions.url !== '/healthz') throw new AppError('overloaded');
    },
  });

  const publicOrigin = publicUrl?.origin;
  const rateLimit = rateLimitPerMinute === undefined ? undefined : createRateLimit(rateLimitPerMinute);
  const parts: RouteParts = {
    ctx,
    sessions,
    publicOrigin,
    answers: createAnswers(),
    authentication: createAuthentication({ ctx, sessions, publicOrigin, rateLimit }),
  };
  answerWrongMethods(app, () => {
    for (const routes of [accountRoutes, sessionRoutes, promptRoutes, versionRoutes, renderingRoutes, healthRoutes, docsRoutes])
      routes(app, parts);
  });
  return app;
}

/** The first step of every request: what all answers carry, and what is refused before its body is looked at. */
function receive(publicUrl: URL | undefined) {
  const isSecure = publicUrl?.protocol === 'https:';
  return (req: FastifyRequest, reply: FastifyReply, done: (err?: Error) => void): void => {
    reply.header('x-request-id', req.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    if (isSecure) reply.header('strict-transport-security', 'max-age=31536000');
    // A request may name a content type and send nothing, as the interface's own examples do.
    if (!hasBody(req.raw)) delete req.headers['content-type'];
    done(req.is404 ? new AppError('not_found') : undefined);
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
