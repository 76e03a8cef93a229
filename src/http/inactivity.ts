import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The longest time that Node's timers can wait: 24 days. */
const anyTimeMs = 2 ** 31 - 1;

/**
 * Closes connections on which a request or response is in progress but nothing is sent or received. With `server.timeout`, Node would set
 * and clear a timer for every request, which takes as long as all other work for a read request. Instead, every `checkIntervalMs`, only the
 * requests that are in progress at that moment get a timer. Between two requests, Node applies the keep-alive timeout.
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
 * Keeps an inactive connection open while a long response is prepared, for at most `limitMs` or, by default, without a limit. The usual
 * timeout applies again once the response is being sent, because the client has to read it in time. To restore the timeout earlier, call
 * the returned function.
 */
export function allowInactivity(req: FastifyRequest, reply: FastifyReply, limitMs = anyTimeMs): () => void {
  const { socket } = req.raw;
  // A socket without a timeout gets the usual timeout at the next check.
  const restore = () => void socket.setTimeout(0);
  socket.setTimeout(limitMs);
  // The timeout is restored before the response ends, because Node sets its keep-alive timeout when the response ends.
  reply.raw.once('prefinish', restore);
  return restore;
}
