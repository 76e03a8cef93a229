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

/** Hears of requests that were answered together. */
export type Observer = (answered: readonly Answered[]) => void;

/**
 * Notes requests down, and tells of them once all that can be answered at this moment is answered: one thing done for many
 * requests costs each of them less than many things done for one. Nothing else happens in between, so nothing is left untold.
 */
export function createNotes(observers: Observer[]): (answered: Answered) => void {
  let notes: Answered[] = [];

  function tell(): void {
    const told = notes;
    notes = [];
    for (const observe of observers) observe(told);
  }

  return (answered) => {
    if (notes.length === 0) process.nextTick(tell);
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
