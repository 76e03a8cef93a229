import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/** The first step of every request: sets the common headers and rejects unknown paths and requests without a host. */
export function createReceive(commonHeaders: Record<string, string>) {
  return function receive(req: FastifyRequest, reply: FastifyReply, done: (err?: Error) => void): void {
    reply.header('x-request-id', req.id);
    for (const name in commonHeaders) reply.header(name, commonHeaders[name]);
    // A request may state a content type without a body, as some clients do.
    if (!hasBody(req.raw)) delete req.headers['content-type'];
    done(findError(req));
  };
}

function findError(req: FastifyRequest): AppError | undefined {
  // HTTP/1.1 requires a Host header. Node's own check is disabled, because its response lacks our headers and body.
  if (req.raw.headers.host === undefined && req.raw.httpVersionMinor === 1) return new AppError('bad_request');
  return req.is404 ? new AppError('not_found') : undefined;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
