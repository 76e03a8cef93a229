import type { FastifyRequest } from 'fastify';
import { ErrorBody, Unauthorized } from '../../contract/errors.ts';
import type { Context } from '../../domain/context.ts';
import type { EventStreams } from '../event-stream.ts';
import type { App } from '../fastify.ts';
import type { RequestMetrics } from '../observability/request-metrics.ts';
import type { ResponseCache } from '../responses/response-cache.ts';
import type { PrepareTokenResponse } from '../responses/token-response.ts';
import type { createAuthentication } from '../steps/authentication.ts';
import type { RateLimit } from '../steps/rate-limit.ts';
import type { Cookie } from '../steps/session-cookie.ts';

/** The dependencies of the routes. */
export interface RouteParts {
  ctx: Context;
  /** The step that finds the actor, or responds 401. */
  authentication: ReturnType<typeof createAuthentication>;
  /** A step for browser routes that work without a session: rejects requests from other origins. */
  sameOriginOnly: (req: FastifyRequest) => Promise<void>;
  /** Limits the changes of an account. The authentication step counts them, except those of /mcp. */
  writeLimit: RateLimit;
  sessionCookie: Cookie;
  deviceCookie: Cookie;
  responseCache: ResponseCache;
  eventStreams: EventStreams;
  prepareTokenResponse: PrepareTokenResponse;
  requestMetrics: RequestMetrics;
  metricsToken: string | undefined;
  /** The origin of PUBLIC_URL. */
  publicOrigin: string | undefined;
  /** The origin for links: that of PUBLIC_URL or, without one, of the listening socket. Never taken from a request. */
  linkOrigin: () => string;
}

export type Routes = (app: App, parts: RouteParts) => void;

/** The documented error responses of a route. `401 key` is the one with exactly the body `{"error":"Unauthorized"}`. */
export function errorResponses(...statuses: (number | '401 key')[]) {
  return Object.fromEntries(statuses.map((status) => (status === '401 key' ? [401, Unauthorized] : [status, ErrorBody])));
}
