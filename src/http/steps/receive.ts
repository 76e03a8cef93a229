import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { countHeader, hasBody } from './headers.ts';

/** The first step of every request: sets the common headers and rejects unknown paths, other methods and ambiguous requests. */
export function createReceive(commonHeaders: Record<string, string>, findMethods: (url: string) => Set<string>) {
  return function receive(req: FastifyRequest, reply: FastifyReply, done: (err?: Error) => void): void {
    reply.header('x-request-id', req.id);
    for (const name in commonHeaders) reply.header(name, commonHeaders[name]);
    // A request may state a content type without a body, as some clients do.
    if (!hasBody(req.raw)) delete req.headers['content-type'];
    if (isAmbiguous(req.raw)) {
      // What follows on this connection may be part of the same request to someone else.
      reply.header('connection', 'close');
      done(new AppError('bad_request'));
      return;
    }
    done(req.is404 ? toRefusal(req, reply) : undefined);
  };

  function toRefusal({ url, method }: FastifyRequest, reply: FastifyReply): AppError {
    const methods = findMethods(url);
    if (methods.size === 0 || methods.has(method)) return new AppError('not_found');
    reply.header('allow', [...methods].join(', '));
    return new AppError('method_not_allowed');
  }
}

/**
 * Security: whether a proxy in front of us may have understood the request in another way, which is how requests are smuggled past it.
 * Node itself rejects a length together with chunks, and encodings that do not end with chunks.
 */
function isAmbiguous(req: IncomingMessage): boolean {
  const hosts = countHeader(req, 'host');
  // HTTP/1.1 requires a Host header. Node's own check is disabled, because its response lacks our headers and body.
  if (hosts > 1 || (hosts === 0 && req.httpVersionMinor === 1)) return true;
  const encoding = req.headers['transfer-encoding'];
  return encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || req.httpVersionMinor === 0);
}
