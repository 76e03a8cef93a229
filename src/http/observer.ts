import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Served } from './served.ts';

/** A request that was answered, as the log and the statistics see it. */
export interface Answered {
  id: string;
  method: string;
  /** As declared, never as sent: an address may hold anything. Undefined where no route is meant. */
  route: string | undefined;
  status: number;
  durationMs: number;
  accountId: string | undefined;
  /** Which of the account's keys it was made with; only with one does it count as a call of the account. */
  keySerial: number | undefined;
  served: Served | undefined;
}

export type Observer = (answered: Answered) => void;

/** What an observer is told of a request that the framework answered. */
export function toAnswered(req: FastifyRequest, reply: FastifyReply): Answered {
  const { id, method, actor, served } = req;
  return {
    id,
    method,
    route: req.routeOptions.url,
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    accountId: actor?.account.id,
    keySerial: actor?.via === 'key' ? actor.account.keySerial : undefined,
    served,
  };
}
