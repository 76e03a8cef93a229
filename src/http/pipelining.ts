import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { RejectionLog } from './observability/rejection-log.ts';

type Socket = IncomingMessage['socket'];

/** How many requests may wait for others on one connection. */
const maxWaiting = 32;
/** To Node's parser: what follows is another protocol. */
const stopParsing = 2;

/**
 * Serves the requests of a connection one after the other, each in a turn of the event loop of its own. Node starts all that have arrived,
 * thousands of them, before anything else happens, and only sends the responses in order. Then a read could see the change of a request
 * that was sent after it, and one connection could delay all others. A connection with too many that wait is closed.
 */
export function servePipelinesInOrder(server: Server, rejections: RejectionLog): void {
  const listeners = server.listeners('request');
  const waiting = new WeakMap<Socket, number>();
  /** The connections on which a request has begun in this turn. */
  const begun = new Set<Socket>();
  server.removeAllListeners('request');
  server.on('request', (req, res) => {
    const { socket } = req;
    if (isBehindOthers(res)) {
      if (mayWait(socket)) res.once('socket', beginNext);
    } else if (begun.has(socket)) {
      setImmediate(beginLater);
    } else {
      begin();
    }

    function beginNext(): void {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      setImmediate(beginLater);
    }

    function beginLater(): void {
      if (!socket.destroyed) begin();
    }

    function begin(): void {
      if (begun.size === 0) setImmediate(() => begun.clear());
      begun.add(socket);
      for (const listener of listeners) listener.call(server, req, res);
    }
  });

  function mayWait(socket: Socket): boolean {
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count <= maxWaiting) return true;
    rejections.add({ code: 'too_many_pipelined', reason: `more than ${maxWaiting} on one connection` });
    socket.destroy();
    stopParser(socket);
    return false;
  }
}

/** A response gets its socket once all earlier ones are sent. */
function isBehindOthers(res: ServerResponse): boolean {
  return res.socket === null;
}

/** Node has no public way to drop what it has received. Without this, it would make an object of each request that is left. */
function stopParser(socket: Socket & { parser?: { onIncoming?: () => number } }): void {
  if (socket.parser?.onIncoming) socket.parser.onIncoming = () => stopParsing;
}
