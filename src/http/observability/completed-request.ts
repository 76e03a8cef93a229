import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServedPrompt } from '../../domain/statistics/hourly-counts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the routes that serve a prompt, for the statistics. */
    servedPrompt: ServedPrompt | undefined;
  }
}

/** A request that was responded to, as the log and the statistics see it. */
export interface CompletedRequest {
  id: string;
  method: string;
  /** The route's pattern, never the path as sent, which may hold anything. Undefined where no route matched. */
  route: string | undefined;
  status: number;
  durationMs: number;
  accountId: string | undefined;
  /** Which of the account's keys was used. Only calls with a key count in the account's statistics. */
  keySerial: number | undefined;
  servedPrompt: ServedPrompt | undefined;
}

export type RequestObserver = (requests: readonly CompletedRequest[]) => void;

/**
 * Collects completed requests and passes them to the observers in one batch, after everything that can be sent at this moment was
 * sent: one pass over many requests costs less than many passes over one. It runs on the next tick, so nothing can be lost in between.
 */
export function createRequestLog(observers: RequestObserver[]): (request: CompletedRequest) => void {
  let batch: CompletedRequest[] = [];

  function flush(): void {
    const requests = batch;
    batch = [];
    for (const observe of observers) observe(requests);
  }

  return (request) => {
    if (batch.length === 0) process.nextTick(flush);
    batch.push(request);
  };
}

/** What is recorded of a request that Fastify handled. */
export function toCompletedRequest(req: FastifyRequest, reply: FastifyReply): CompletedRequest {
  const { id, method, actor, servedPrompt } = req;
  return {
    id,
    method,
    route: req.routeOptions.url,
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    accountId: actor?.accountId,
    keySerial: actor?.keySerial,
    servedPrompt,
  };
}
