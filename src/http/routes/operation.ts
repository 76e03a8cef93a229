import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteShorthandOptions } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { ErrorBody, Unauthorized } from '../../contract/errors.ts';
import { findPathParameters, type PathParameters } from '../../contract/path-parameters.ts';
import { findPermission, ownAccount, type Permission } from '../../contract/permissions.ts';
import { type createAuthentication, isWrite, sessionOnly } from '../middleware/authentication.ts';
import type { ResponseCache } from '../responses/response-cache.ts';

/** The defaults of the operations in a file. Each operation may override them. */
export interface OperationDefaults {
  /** The section of the API reference. */
  tag: string;
  /**
   * The callers that may use the operation: callers with a key or a session (`key`, the default), only callers with a session, or everyone.
   */
  access?: 'key' | 'session' | 'public';
  /** The access that the API reference states, if it differs from `access`. */
  security?: Record<string, never[]>[];
  /** The shape of the operation's errors. */
  errorBody?: TSchema;
}

interface Operation<Path extends string, Query extends TSchema, Body extends TSchema, Result extends TSchema>
  extends Partial<OperationDefaults> {
  operationId: string;
  summary: string;
  description?: string;
  /**
   * Serves the operation from the response cache, and caches what its handler returns. Set this option only for a GET whose response
   * depends on prompts alone and is the same for every member. Otherwise, one member would see the response of another.
   */
  isCached?: boolean;
  /** Middleware that runs before the authentication. */
  beforeAuthentication?: Middleware[];
  /** Middleware that runs after the authentication and before the body is read. */
  afterAuthentication?: Middleware[];
  /** The schema of the path's parameters, if it is not the one in contract/path-parameters.ts. */
  params?: TSchema;
  querystring?: Query;
  body?: Body;
  /** The responses by status. The first one is the response to a successful request. */
  response: Record<number, Result>;
  /** The statuses of errors, in addition to the statuses that follow from the other fields. */
  errors?: number[];
  /** Fastify options, which are passed on unchanged. */
  options?: Omit<RouteShorthandOptions, 'schema' | 'onRequest'>;
  handler(
    req: FastifyRequest<{ Params: PathParameters<Path>; Querystring: Static<Query>; Body: Static<Body> }>,
    reply: FastifyReply,
  ): Promise<Static<Result> | FastifyReply>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Middleware = (req: FastifyRequest, reply: FastifyReply, done: (err?: Error) => void) => void | Promise<void>;

/** The response of an operation that returns nothing. */
export const noContent = { 204: Type.Unsafe<void>({ type: 'null' }) };

/** Returns a function that adds an operation to the API: its middleware, its shapes, its place in the reference and its handler. */
export function createRoute(
  app: FastifyInstance,
  { authentication, responseCache }: { authentication: ReturnType<typeof createAuthentication>; responseCache: ResponseCache },
  defaults: OperationDefaults,
) {
  const accesses = {
    key: { onRequest: [authentication], security: [{ key: [] }] },
    session: { onRequest: [authentication, sessionOnly], security: [{ session: [] }] },
    public: { onRequest: [], security: [] },
  };

  return function route<
    Path extends string,
    Query extends TSchema = TSchema,
    Body extends TSchema = TSchema,
    Result extends TSchema = TSchema,
  >(method: Method, url: Path, operation: Operation<Path, Query, Body, Result>): void {
    const {
      access = 'key',
      errorBody = ErrorBody,
      tag,
      isCached = false,
      beforeAuthentication = [],
      afterAuthentication = [],
      errors = [],
      options,
      handler,
      params = findPathParameters(url),
      ...schema
    } = { ...defaults, ...operation };
    const { onRequest, security } = accesses[access];
    const permission = access === 'public' ? undefined : getPermission(schema.operationId);
    const status = Number(Object.keys(schema.response)[0]);
    const statuses = [...impliedErrors(method, permission, schema), ...errors];
    const errorResponses = {
      ...(permission && { 401: errorBody === ErrorBody ? Unauthorized : errorBody }),
      ...Object.fromEntries(statuses.map((error) => [error, errorBody])),
    };
    // The request was validated with the schemas from which its types are inferred.
    const respond: RouteHandlerMethod = (req, reply) => handler(req as never, reply.status(status));
    app.route({
      ...options,
      method,
      url,
      config: { ...options?.config, ...(permission && { permission }) },
      onRequest: [...beforeAuthentication, ...onRequest, ...afterAuthentication, ...(isCached ? [responseCache.serve] : [])],
      schema: { tags: [tag], security, ...schema, ...(params && { params }), response: { ...errorResponses, ...schema.response } },
      handler: isCached ? responseCache.cache(respond) : respond,
    });
  };
}

/** Returns who may call an operation. Throws if the operation is not listed, so that such an operation is never served. */
function getPermission(operationId: string): Permission {
  const permission = findPermission(operationId);
  if (!permission) throw new Error(`${operationId} is missing in contract/permissions.ts`);
  return permission;
}

/** Returns the error statuses that follow from an operation's input and from who may call it. */
function impliedErrors(
  method: Method,
  permission: Permission | undefined,
  { querystring, body }: Partial<Record<'querystring' | 'body', TSchema>>,
): number[] {
  const role = permission === ownAccount ? undefined : permission;
  // The status 403 means that the role is too low, or that a session is used from another origin.
  const isForbidden = (role && role !== 'viewer') || (permission && method !== 'GET');
  return [
    ...(querystring || body ? [400] : []),
    ...(isForbidden ? [403] : []),
    ...(role ? [404] : []),
    ...(permission && isWrite(method, permission) ? [429] : []),
    503,
  ];
}
