import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../domain/context.ts';
import type { EventStreams } from '../event-stream.ts';
import type { Cookie } from '../middleware/cookies.ts';
import type { RateLimit } from '../middleware/rate-limit.ts';
import type { RequestMetrics } from '../observability/request-metrics.ts';
import type { SendExport } from '../responses/export-response.ts';
import type { ResponseCache } from '../responses/response-cache.ts';
import type { PrepareTokenResponse } from '../responses/token-response.ts';
import type { createRoute, OperationDefaults } from './operation.ts';

/** The dependencies of the routes. */
export interface RouteParts {
  app: FastifyInstance;
  ctx: Context;
  /** Returns a function that adds operations to the API. Routes that are not operations are added to `app`. */
  createRoute: (common: OperationDefaults) => ReturnType<typeof createRoute>;
  /** Middleware for browser routes that work without a session. It rejects requests from other origins. */
  sameOriginOnly: (req: FastifyRequest) => Promise<void>;
  /** Limits the changes that an account makes. The authentication middleware counts the changes, except for calls of /mcp. */
  writeLimit: RateLimit;
  sessionCookie: Cookie;
  deviceCookie: Cookie;
  challengeCookie: Cookie;
  providerCookie: Cookie;
  responseCache: ResponseCache;
  /** Sends a file in batches. All exports share the same limits. */
  sendExport: SendExport;
  eventStreams: EventStreams;
  /** Whether the service is about to stop. It still serves requests, but is not ready for more. */
  isDraining: () => boolean;
  prepareTokenResponse: PrepareTokenResponse;
  requestMetrics: RequestMetrics;
  metricsToken: string | undefined;
  /** The origin of PUBLIC_URL. */
  publicOrigin: string | undefined;
  /**
   * The origin for links: the origin of PUBLIC_URL or, if PUBLIC_URL is not set, of the listening socket. It is never taken from a request.
   */
  linkOrigin: () => string;
}

export type Routes = (parts: RouteParts) => void;
