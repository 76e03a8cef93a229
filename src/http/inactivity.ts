import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Keeps a connection open on which nothing happens while a response is prepared that may take long, for any time or up to `limitMs`.
 * The timeout is back when the response is sent, so that a client still has to take it, and for the next request. The returned function
 * brings it back sooner.
 */
export function allowInactivity(req: FastifyRequest, reply: FastifyReply, limitMs = 0): () => void {
  const { socket } = req.raw;
  const restore = () => void socket.setTimeout(req.server.server.timeout);
  socket.setTimeout(limitMs);
  // Before the end of a response, because then Node sets the timeout between two requests.
  reply.raw.once('prefinish', restore);
  return restore;
}
