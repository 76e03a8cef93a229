import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '../../errors.ts';
import { toLangfuseBody } from '../langfuse/errors.ts';
import { isLangfuseUrl } from '../langfuse/paths.ts';
import { type CompletedRequest, toCompletedRequest } from '../observability/completed-request.ts';
import type { RejectionLog } from '../observability/rejection-log.ts';
import { toOfrepBody } from '../ofrep/errors.ts';
import { isOfrepUrl } from '../ofrep/paths.ts';
import { isOtlpUrl } from '../otlp/paths.ts';
import { toStatus } from '../otlp/responses.ts';
import { newRequestId } from './request-id.ts';

type ErrorHandler = (err: FastifyError | AppError, req: FastifyRequest, reply: FastifyReply) => void;

/** Turns every error into a response. An unexpected error becomes a 500 that reveals no details. */
export function createErrorHandler(rejections: RejectionLog): ErrorHandler {
  return function handleError(err, req, reply) {
    const error = toAppError(err);
    logError(error, req, rejections);
    req.leaveQueue?.(error);
    if (error.code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
    // The error is serialized here, so that it does not depend on the response schemas of the route.
    const { type, body } = isOtlpUrl(req.url)
      ? toStatus(error, req)
      : { type: 'application/json; charset=utf-8', body: toBody(error, req.url) };
    reply
      .status(error.status)
      .header('content-type', type)
      .serializer((given: string) => given)
      .send(body);
  };
}

/** Handles URLs that the router cannot parse. No hooks run for them, so the headers are set and the request is logged here. */
export function createFrameworkErrorHandler(
  handleError: ErrorHandler,
  headers: Record<string, string>,
  log: (request: CompletedRequest) => void,
): ErrorHandler {
  return function handleFrameworkError(err, req, reply) {
    reply.header('x-request-id', req.id).headers(headers);
    handleError(err, req, reply);
    log(toCompletedRequest(req, reply));
  };
}

/**
 * Logs an error. Bugs are logged with their stack. A busy service or an unavailable database is logged without a stack, because it is not a
 * bug and affects many requests at once.
 */
function logError({ code, status, cause, message }: AppError, { id, log }: FastifyRequest, rejections: RejectionLog): void {
  if (status === 503 || code === 'too_many_concurrent') {
    rejections.add({ code, id, reason: cause instanceof Error ? cause.message : undefined });
  } else if (status >= 500) log.error({ id, err: cause }, message);
}

/** Handles requests that Node's parser rejected. Such requests never reach Fastify, so the response is written directly to the socket. */
export function createClientErrorHandler(headers: Record<string, string>) {
  return function handleClientError(err: NodeJS.ErrnoException, socket: Socket): void {
    if (err.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, headers: all, body } = toLastResponse(new AppError(clientErrors[err.code ?? ''] ?? 'bad_request'), headers);
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };
}

/**
 * Handles requests in other protocols that Node's parser accepts. Such requests must not reach Fastify, whose router would fail on them.
 */
export function createProtocolErrorHandler(headers: Record<string, string>) {
  return function handleProtocolError(res: ServerResponse): void {
    const { status, headers: all, body } = toLastResponse(new AppError('bad_request'), headers);
    res.writeHead(status, all).end(body);
  };
}

/**
 * Returns the response to a malformed request. The connection is closed afterwards, because the service cannot tell where the next request
 * begins.
 */
function toLastResponse(error: AppError, commonHeaders: Record<string, string>) {
  const body = toBody(error);
  const headers = {
    ...commonHeaders,
    'x-request-id': newRequestId(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  return { status: error.status, headers, body };
}

function toBody(error: AppError, url?: string): string {
  if (isLangfuseUrl(url)) return toLangfuseBody(error);
  if (url !== undefined && isOfrepUrl(url)) return toOfrepBody(error, url);
  // Clients depend on exactly this body.
  if (error.code === 'unauthorized') return '{"error":"Unauthorized"}';
  return JSON.stringify({
    error: error.message,
    code: error.code,
    details: error.details,
    warnings: error.warnings,
    proposal: error.proposal,
  });
}

function toAppError(err: FastifyError | AppError): AppError {
  if (err instanceof AppError) return err;
  const code = frameworkErrors[err.code];
  if (code) return new AppError(code);
  if (err.statusCode === 400) return new AppError('bad_request');
  return new AppError('internal', { cause: err });
}

const frameworkErrors: Record<string, ErrorCode> = {
  // The client disconnected while its response was sent.
  ERR_STREAM_PREMATURE_CLOSE: 'bad_request',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_BAD_URL: 'invalid_url',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

const clientErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};
