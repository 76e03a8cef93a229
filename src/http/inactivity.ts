import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The longest that Node's timers can wait, 24 days. */
const anyTimeMs = 2 ** 31 - 1;

/**
 * Closes connections on which nothing happens while a request or response is under way. With `server.timeout`, Node would set and clear
 * a timer for every request, which takes as long as all of our own work on a read. So only the requests that are under way when this
 * looks, every `checkIntervalMs`, get a timer. Between two requests, Node sets the timeout of keep-alive.
 */
export function closeInactiveConnections(
  server: Server,
  { inactivityMs, checkIntervalMs }: { inactivityMs: number; checkIntervalMs: number },
): void {
  const sockets = new Set<Socket>();
  server.timeout = 0;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const checking = setInterval(() => {
    for (const socket of sockets) if (!socket.timeout) socket.setTimeout(inactivityMs);
  }, checkIntervalMs).unref();
  server.once('close', () => clearInterval(checking));
}

/**
 * Keeps a connection open on which nothing happens while a response is prepared that may take long, for any time or up to `limitMs`.
 * The usual timeout is back when the response is sent, so that a client still has to take it, and for the next request. The returned
 * function brings it back sooner.
 */
export function allowInactivity(req: FastifyRequest, reply: FastifyReply, limitMs = anyTimeMs): () => void {
  const { socket } = req.raw;
  // The next check sets the usual one.
  const restore = () => void socket.setTimeout(0);
  socket.setTimeout(limitMs);
  // Before the end of a response, because then Node sets the timeout between two requests.
  reply.raw.once('prefinish', restore);
  return restore;
}
