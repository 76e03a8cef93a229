import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify';
import type { Logger } from 'pino';
import { caller } from '../domain/caller.ts';
import type { Context } from '../domain/context.ts';
import type { Recorder } from '../domain/recorder.ts';
import type { Sessions } from '../domain/sessions.ts';
import { AppError } from '../errors.ts';
import { createAccessLog } from './access-log.ts';
import { createAnswers } from './answers.ts';
import { assertOwnOrigin, createAuthentication } from './auth.ts';
import { parseJson } from './body.ts';
import { createClientErrorHandler, handleError } from './errors.ts';
import { securityHeaders } from './headers.ts';
import { shedLoad } from './load-shedding.ts';
import { answerWrongMethods } from './methods.ts';
import { type Answered, createNotes, toAnswered } from './observer.ts';
import { listeningOrigin } from './origin.ts';
import { createRateLimit } from './rate-limit.ts';
import { requestIdOf } from './request-id.ts';
import './served.ts';
import { accountRoutes } from './routes/accounts.ts';
import { dashboardRoutes } from './routes/dashboard.ts';
import { docsRoutes } from './routes/docs.ts';
import { healthRoutes } from './routes/health.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { ownAccountRoutes } from './routes/own-account.ts';
import { passwordResetRoutes } from './routes/password-reset.ts';
import { promptRoutes } from './routes/prompts.ts';
import { renderingRoutes } from './routes/rendering.ts';
import type { App, RouteParts } from './routes/route.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { statisticsRoutes } from './routes/statistics.ts';
import { twoFactorRoutes } from './routes/two-factor.ts';
import { versionRoutes } from './routes/versions.ts';
import { createShortcut, type ShortcutParts } from './shortcut.ts';
import { createCounting, createTraffic } from './traffic.ts';
import { compileValidator, type TypeBoxProvider } from './validation.ts';

export interface AppParts {
  ctx: Context;
  sessions: Sessions;
  publicUrl: URL | undefined;
  trustProxy: boolean | number | string[];
  rateLimitPerMinute: number | undefined;
  metricsToken: string | undefined;
  /** Counts the calls. Left out only to measure what counting costs. */
  recorder?: Recorder | undefined;
  logger: Logger;
  /** Hears of every route as it is registered. */
  onRoute?: ((route: RouteOptions) => void) | undefined;
}

const finishWithinMs = 5000;
const allRoutes = [
  accountRoutes,
  ownAccountRoutes,
  twoFactorRoutes,
  sessionRoutes,
  passwordResetRoutes,
  promptRoutes,
  versionRoutes,
  renderingRoutes,
  statisticsRoutes,
  healthRoutes,
  metricsRoutes,
  docsRoutes,
  dashboardRoutes,
];

/** Puts the HTTP service together. It does not listen yet. */
export async function buildApp(appParts: AppParts) {
  const { ctx, sessions, publicUrl, trustProxy, rateLimitPerMinute, metricsToken, recorder, logger, onRoute } = appParts;
  const headers = securityHeaders(publicUrl);
  const traffic = createTraffic();
  const note = createNotes([createAccessLog(logger), ...(recorder ? [createCounting(traffic, recorder)] : [])]);
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
    http: { headersTimeout: 15_000, maxHeaderSize: 16_384, requireHostHeader: false },
    clientErrorHandler: createClientErrorHandler(headers),
    frameworkErrors: answerBeforeRouting(headers, note),
    forceCloseConnections: 'idle',
    // A request that comes on a kept connection while the service stops is answered like any other, and the connection closed.
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxProvider>();

  // Without this Node answers 417 on its own. Expectations may be ignored, and 100-continue is met either way.
  app.server.on('checkExpectation', (req, res) => app.server.emit('request', req, res));
  app.setValidatorCompiler(compileValidator);
  app.setErrorHandler(handleError);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJson);

  if (onRoute) app.addHook('onRoute', onRoute);
  app.decorateRequest('actor', undefined);
  app.decorateRequest('served', undefined);
  app.addHook('onRequest', receive(headers));
  app.addHook('preHandler', rememberCaller);
  app.addHook('onResponse', (req, reply, done) => {
    note(toAnswered(req, reply));
    done();
  });
  app.addHook('onClose', () => ctx.background.drain(finishWithinMs));
  const load = shedLoad(app);

  const publicOrigin = publicUrl?.origin;
  const rateLimit = rateLimitPerMinute === undefined ? undefined : createRateLimit(rateLimitPerMinute);
  const answers = createAnswers(headers);
  const parts: RouteParts = {
    ctx,
    sessions,
    publicOrigin,
    fromOwnPages: async (req) => assertOwnOrigin(req, publicOrigin),
    ownOrigin: () => publicOrigin ?? listeningOrigin(app.server),
    answers,
    traffic,
    metricsToken,
    authentication: createAuthentication({ ctx, sessions, publicOrigin, rateLimit }),
  };
  answerWrongMethods(app, () => {
    for (const routes of allRoutes) routes(app, parts);
  });
  // Calls that are limited are counted by the framework's way alone.
  if (!rateLimit) addShortcut(app, { ctx, answers, headers, note, isClosed: load.isOverloaded });
  return app;
}

/** Puts the shortcut before the framework's own listener, until the service begins to stop. */
function addShortcut(app: App, parts: ShortcutParts): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  const shortcut = createShortcut({ ...parts, isClosed: () => isStopping || parts.isClosed() });
  const routes = app.server.listeners('request');
  app.server.removeAllListeners('request');
  app.server.on('request', (req, res) => {
    shortcut(req, res, () => {
      for (const route of routes) route.call(app.server, req, res);
    });
  });
}

/** The first step of every request: what all answers carry, and what is refused before its body is looked at. */
function receive(headers: Record<string, string>) {
  return (req: FastifyRequest, reply: FastifyReply, done: (err?: Error) => void): void => {
    reply.header('x-request-id', req.id);
    for (const name in headers) reply.header(name, headers[name]);
    // A request may name a content type and send nothing, as the interface's own examples do.
    if (!hasBody(req.raw)) delete req.headers['content-type'];
    done(refusalOf(req));
  };
}

/** Only changes are worth an account event, and reads are spared the cost. */
function rememberCaller(req: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (req.method === 'GET' || req.method === 'HEAD') done();
  else caller.run({ address: req.ip, userAgent: req.headers['user-agent'] }, done);
}

function refusalOf(req: FastifyRequest): AppError | undefined {
  // HTTP/1.1 requires a host. Node would refuse on its own, but without our headers and body.
  if (req.raw.headers.host === undefined && req.raw.httpVersionMinor === 1) return new AppError('bad_request');
  return req.is404 ? new AppError('not_found') : undefined;
}

/** Addresses that the router cannot read: no hook runs for them, so that what hooks do is done here. */
function answerBeforeRouting(headers: Record<string, string>, note: (answered: Answered) => void) {
  return (err: FastifyError, req: FastifyRequest, reply: FastifyReply): void => {
    reply.header('x-request-id', req.id).headers(headers);
    handleError(err, req, reply);
    note(toAnswered(req, reply));
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
