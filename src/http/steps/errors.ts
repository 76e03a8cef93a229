import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '../../errors.ts';
import { type CompletedRequest, toCompletedRequest } from '../observability/completed-request.ts';
import { newRequestId } from './request-id.ts';

/** Turns every error into a response. Anything unexpected becomes a 500 that reveals no details. */
export function handleError(err: FastifyError | AppError, req: FastifyRequest, reply: FastifyReply): void {
  const error = toAppError(err);
  if (error.status >= 500) req.log.error({ id: req.id, err: error.cause ?? error }, error.message);
  if (error.code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  // Serialized here, so that an error does not depend on the response schemas of the route.
  reply.status(error.status).header('content-type', 'application/json; charset=utf-8').serializer(String).send(toBody(error));
}

/** Handles URLs that the router cannot parse. No hooks run for them, so the headers are set and the request is logged here. */
export function createFrameworkErrorHandler(headers: Record<string, string>, log: (request: CompletedRequest) => void) {
  return function handleFrameworkError(err: FastifyError, req: FastifyRequest, reply: FastifyReply): void {
    reply.header('x-request-id', req.id).headers(headers);
    handleError(err, req, reply);
    log(toCompletedRequest(req, reply));
  };
}

/** Handles requests that Node's parser rejected. They never reach Fastify, so the response is written to the socket. */
export function createClientErrorHandler(headers: Record<string, string>) {
  return function handleClientError(err: NodeJS.ErrnoException, socket: Socket): void {
    if (err.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const error = new AppError(clientErrors[err.code ?? ''] ?? 'bad_request');
    const body = toBody(error);
    const lines = Object.entries({
      ...headers,
      'x-request-id': newRequestId(),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`);
  };
}

function toBody(error: AppError): string {
  // Clients depend on exactly this body.
  if (error.code === 'unauthorized') return '{"error":"Unauthorized"}';
  return JSON.stringify({ error: error.message, code: error.code, details: error.details });
}

function toAppError(err: FastifyError | AppError): AppError {
  if (err instanceof AppError) return err;
  const code = frameworkErrors[err.code];
  if (code) return new AppError(code);
  if (err.statusCode === 400) return new AppError('bad_request');
  return new AppError('internal', { cause: err });
}

const frameworkErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_BAD_URL: 'invalid_url',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

const clientErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};
