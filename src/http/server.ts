import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { tryTo } from '../platform/try-to.ts';
import { closeInactiveConnections } from './inactivity.ts';
import { limitBodyMemory } from './middleware/body-memory.ts';
import { createClientErrorHandler, createErrorHandler, createFrameworkErrorHandler } from './middleware/errors.ts';
import { acceptForms } from './middleware/forms.ts';
import { acceptLines } from './middleware/import-lines.ts';
import { wantsPage } from './middleware/receive.ts';
import { acceptReports } from './middleware/report-bodies.ts';
import { requestIdOf } from './middleware/request-id.ts';
import { queueRequests } from './middleware/request-queue.ts';
import { compileSerializer } from './middleware/serialization.ts';
import { compileValidator } from './middleware/validation.ts';
import type { CompletedRequest } from './observability/completed-request.ts';
import type { RejectionLog } from './observability/rejection-log.ts';

interface ServerOptions {
  commonHeaders: Record<string, string>;
  trustProxy: Config['trustProxy'];
  logger: Logger;
  log(request: CompletedRequest): void;
  rejections: RejectionLog;
  timeouts?: typeof defaultTimeouts;
}

const defaultTimeouts = {
  /** The timeout for the headers of a request, counted from the start of the connection or from the previous response. */
  headersMs: 15_000,
  /** The timeout for the whole request. */
  requestMs: 30_000,
  /** The maximum time without a byte in either direction while a request or response is in progress. */
  inactivityMs: 60_000,
  keepAliveMs: 72_000,
  /** The interval at which to look for requests that are too slow. A request may exceed its timeout by this time. */
  checkIntervalMs: 1000,
};

/** Replaces a URL that the router would reject because of its percent-encoding, so that a browser gets the page for unknown addresses. */
function replaceMalformedPage(req: IncomingMessage): string {
  const { url = '' } = req;
  if (!url.includes('%')) return url;
  const isMalformed = tryTo(() => decodeURI(url.split('?', 1)[0] ?? '')) === undefined;
  return isMalformed && wantsPage(req) ? '/not-found' : url;
}

/** Creates Fastify with its limits, timeouts, parsing, validation and error handling. It has no routes yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { commonHeaders, trustProxy, logger, log, rejections, timeouts = defaultTimeouts } = options;
  const handleError = createErrorHandler(rejections);
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // A child logger per request is expensive. It is not needed, because the log lines contain the request id.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'id' }),
    genReqId: requestIdOf,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    rewriteUrl: replaceMalformedPage,
    // A prompt name has up to 200 characters of up to four bytes, and each byte is percent-encoded as three characters.
    routerOptions: { maxParamLength: 2400 },
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkIntervalMs,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
    },
    clientErrorHandler: createClientErrorHandler(commonHeaders),
    frameworkErrors: createFrameworkErrorHandler(handleError, commonHeaders, log),
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection during shutdown is still served before the connection is closed.
    return503OnClosing: false,
  });

  closeInactiveConnections(app.server, timeouts);
  // A server may ignore unknown values of the `Expect` header. Without this listener, Node would respond to them with 417. Node still
  // handles `100-continue`.
  app.server.on('checkExpectation', (req, res) => app.server.emit('request', req, res));
  app.addHook('onListen', async () => {
    // Accepting a connection can fail, for example if there is not enough memory. Without this listener, the error would end the process.
    app.server.on('error', (err) => rejections.add({ code: 'connection_failed', reason: err.message }));
  });
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  app.setErrorHandler(handleError);
  app.removeAllContentTypeParsers();
  limitBodyMemory(app);
  queueRequests(app);
  acceptLines(app);
  acceptReports(app);
  acceptForms(app);
  return app;
}
