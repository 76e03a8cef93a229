import type { FastifyReply } from 'fastify';

export function sendCsv(reply: FastifyReply, name: string, text: string): FastifyReply {
  return reply.header('content-type', 'text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`).send(text);
}
