import type { FastifyReply } from 'fastify';

/** Sends what is JSON already. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  // A text would be serialized again.
  return reply.type('application/json; charset=utf-8').send(Buffer.from(json));
}
