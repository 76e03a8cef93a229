import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The longest time that Node's timers can wait: 24 days. */
const anyTimeMs = 2 ** 31 - 1;

/**
 * Closes connections without activity while a request or response is in progress. With `server.timeout`, Node would set and clear a timer
 * for every request, which takes as long as all of our own work on a read. Instead, only requests that are in progress at a check, every
 * `checkIntervalMs`, get a timer. Between two requests, Node applies the keep-alive timeout.
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
 * Keeps an inactive connection open while a long response is prepared, forever or up to `limitMs`. The usual timeout returns for the next
 * request and once the response is being sent, because the client still has to read it in time. The returned function restores the timeout
 * sooner.
 */
export function allowInactivity(req: FastifyRequest, reply: FastifyReply, limitMs = anyTimeMs): () => void {
  const { socket } = req.raw;
  // The next check sets the usual timeout.
  const restore = () => void socket.setTimeout(0);
  socket.setTimeout(limitMs);
  // The timeout is restored before the response ends, because at the end Node sets the timeout between two requests.
  reply.raw.once('prefinish', restore);
  return restore;
}
