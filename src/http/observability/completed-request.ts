import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServedPrompt } from '../../domain/statistics/counters.ts';
import { readTraceId } from '../../platform/trace-context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The prompt version in the response, for the statistics. Routes that serve a prompt set it. */
    servedPrompt: ServedPrompt | undefined;
    /** The name and result under which a call in another protocol is counted. Routes for such a protocol set it. */
    countedAs: Partial<Pick<CompletedRequest, 'method' | 'route' | 'status'>> | undefined;
  }
}

/** A request and its response, for the log and the statistics. */
export interface CompletedRequest {
  id: string;
  method: string;
  /** The route's pattern, never the requested path, which may contain anything. Undefined if no route matched. */
  route: string | undefined;
  status: number;
  durationMs: number;
  /** The address of the client. A proxy may have written it, so it may be any text. */
  address: string | undefined;
  /** The caller's trace, from `traceparent`. */
  traceId: string | undefined;
  accountId: string | undefined;
  /** The workspace in which the account made the request. */
  workspaceId: string | undefined;
  /** The serial number of the API key, if the request had one. Only such requests count in the workspace's statistics. */
  keySerial: number | undefined;
  servedPrompt: ServedPrompt | undefined;
}

export type RequestObserver = (requests: readonly CompletedRequest[]) => void;

/**
 * Passes completed requests to the observers in batches, after all pending responses have been sent. A single pass over many requests is
 * cheaper than one pass for each. Each batch is passed on in the next tick, so a clean stop loses nothing. An observer that fails does not
 * end the process or affect the other observers.
 */
export function createRequestLog(observers: RequestObserver[], onError: (err: unknown) => void): (request: CompletedRequest) => void {
  let batch: CompletedRequest[] = [];

  function flush(): void {
    const requests = batch;
    batch = [];
    for (const observe of observers) {
      try {
        observe(requests);
      } catch (err) {
        onError(err);
      }
    }
  }

  return (request) => {
    if (batch.length === 0) process.nextTick(flush);
    batch.push(request);
  };
}

/** Describes a request that Fastify handled. */
export function toCompletedRequest(req: FastifyRequest, reply: FastifyReply): CompletedRequest {
  const { id, method, actor, servedPrompt, countedAs } = req;
  return {
    id,
    method,
    route: req.routeOptions.url,
    status: reply.statusCode,
    durationMs: req.streamStartedMs ?? reply.elapsedTime,
    address: req.ip,
    traceId: readTraceId(req.headers.traceparent),
    accountId: actor?.accountId,
    workspaceId: actor?.workspaceId,
    keySerial: actor?.keySerial,
    servedPrompt,
    ...countedAs,
  };
}
