import type { FastifyRequest } from 'fastify';
import { ErrorBody, Unauthorized } from '../../contract/errors.ts';
import type { Context } from '../../domain/context.ts';
import type { ResponseCache } from '../fast-path/response-cache.ts';
import type { PrepareTokenResponse } from '../fast-path/token-response.ts';
import type { App } from '../fastify.ts';
import type { RequestMetrics } from '../observability/request-metrics.ts';
import type { createAuthentication } from '../steps/authentication.ts';
import type { SessionCookie } from '../steps/session-cookie.ts';

/** What routes are made of. */
export interface RouteParts {
  ctx: Context;
  /** The step that finds the actor, or responds 401. */
  authentication: ReturnType<typeof createAuthentication>;
  /** The step for what a browser does without a session: refuses requests that another site made it send. */
  fromOwnPages: (req: FastifyRequest) => Promise<void>;
  sessionCookie: SessionCookie;
  responseCache: ResponseCache;
  prepareTokenResponse: PrepareTokenResponse;
  requestMetrics: RequestMetrics;
  metricsToken: string | undefined;
  /** The origin of PUBLIC_URL. */
  publicOrigin: string | undefined;
  /** The origin of PUBLIC_URL or, without one, where the service listens. Never what a request claims. */
  ownOrigin: () => string;
}

export type Routes = (app: App, parts: RouteParts) => void;

/** The error responses that a route documents. `401 key` is the one that the interface fixes to the letter. */
export function errorResponses(...statuses: (number | '401 key')[]) {
  return Object.fromEntries(statuses.map((status) => (status === '401 key' ? [401, Unauthorized] : [status, ErrorBody])));
}
