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

/** Hears of all requests that were answered in one turn of the event loop. */
export type Observer = (answered: readonly Answered[]) => void;

/**
 * Notes requests down, and tells of them at the end of the turn: the answers are on their way by then, and one thing done for many
 * requests costs each of them less than many things done for one.
 */
export function createNotes(observers: Observer[]): (answered: Answered) => void {
  let notes: Answered[] = [];

  function tell(): void {
    const told = notes;
    notes = [];
    for (const observe of observers) observe(told);
  }

  return (answered) => {
    if (notes.length === 0) setImmediate(tell);
    notes.push(answered);
  };
}

/** What is noted of a request that the framework answered. */
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
