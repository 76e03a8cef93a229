import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { countHeader, hasBody } from './headers.ts';

/** The first middleware of every request. It sets the common headers, and rejects unknown paths, wrong methods and ambiguous requests. */
export function createReceive(commonHeaders: Record<string, string>, findMethods: (url: string) => Set<string>) {
  return function receive(req: FastifyRequest, reply: FastifyReply, done: (err?: Error) => void): void {
    reply.header('x-request-id', req.id);
    for (const name in commonHeaders) reply.header(name, commonHeaders[name]);
    // Some clients send a content type without a body, which must not cause an error. Reports keep their content type, because an empty
    // report is valid in protobuf and its response has the same content type.
    if (!hasBody(req.raw) && !req.routeOptions.config.takesReport) delete req.headers['content-type'];
    if (isAmbiguous(req.raw)) {
      // The connection is closed, because a proxy may consider the next bytes on it a part of the same request.
      reply.header('connection', 'close');
      done(new AppError('bad_request'));
      return;
    }
    done(req.is404 ? toRefusal(req, reply) : undefined);
  };

  /** Returns the error for a request without a matching route, or undefined if a page is sent instead. */
  function toRefusal(req: FastifyRequest, reply: FastifyReply): AppError | undefined {
    const methods = findMethods(req.url);
    if (methods.size === 0 || methods.has(req.method)) return wantsPage(req) ? undefined : notFound(req.url);
    reply.header('allow', [...methods].join(', '));
    return new AppError('method_not_allowed');
  }
}

/**
 * Returns whether a person opened the URL in a browser. If nothing is at the URL, such a request gets a page instead of an error as JSON.
 */
export function wantsPage({ method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && !url?.startsWith('/api') && (headers.accept?.includes('text/html') ?? false);
}

function notFound(url: string): AppError {
  return new AppError('not_found', isBelowPrompt.test(url) ? { text: encodeSlashes } : {});
}

/** Matches the path of a prompt whose name contains unencoded slashes. It is used only for paths that match no route. */
const isBelowPrompt = /^\/api\/(?:public\/v2\/)?prompts\/[^/?]+\/[^/?]/;
const encodeSlashes = 'Not found. A prompt name is one segment of the path. Encode its slashes as %2F, for example "support%2Ftriage".';

/**
 * Returns whether a proxy in front of the service may have parsed the request differently, which would allow request smuggling. Node itself
 * rejects a content length together with chunks, and encodings that do not end with chunks.
 */
function isAmbiguous(req: IncomingMessage): boolean {
  const hosts = countHeader(req, 'host');
  // HTTP/1.1 requires a Host header. Node's own check is disabled, because its response lacks the service's headers and body.
  if (hosts > 1 || (hosts === 0 && req.httpVersionMinor === 1)) return true;
  const encoding = req.headers['transfer-encoding'];
  return encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || req.httpVersionMinor === 0);
}
