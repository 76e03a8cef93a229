import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { RejectionLog } from './observability/rejection-log.ts';

type Socket = IncomingMessage['socket'];

/** How many requests may wait for others on one connection. */
const maxWaiting = 32;

interface Pipeline {
  /** The response to the newest request. */
  last: ServerResponse;
  waiting: number;
}

/**
 * Serves the requests of a connection one after the other, each in a turn of the event loop of its own. Node starts all that have arrived,
 * thousands of them, before anything else happens, and only sends the responses in order. Then a read could see the change of a request
 * that was sent after it, and one connection could delay all others. A connection with too many that wait is closed.
 */
export function servePipelinesInOrder(server: Server, rejections: RejectionLog): void {
  const listeners = server.listeners('request');
  const pipelines = new WeakMap<Socket, Pipeline>();
  /** The connections on which a request has begun in this turn. */
  const begun = new Set<Socket>();
  server.removeAllListeners('request');
  server.on('request', (req, res) => {
    const { socket } = req;
    // Node parses all that it has received, also after the connection is closed.
    if (socket.destroyed) return;
    const pipeline = pipelines.get(socket) ?? { last: res, waiting: 0 };
    const previous = pipeline.last;
    pipeline.last = res;
    pipelines.set(socket, pipeline);
    const isPreviousDone = previous === res || previous.writableFinished;
    if (isPreviousDone && !begun.has(socket)) return begin();
    pipeline.waiting += 1;
    if (pipeline.waiting > maxWaiting) {
      rejections.add({ code: 'too_many_pipelined', reason: `more than ${maxWaiting} on one connection` });
      closeCheaply(socket);
    } else if (isPreviousDone) setImmediate(beginLater);
    else previous.once('close', () => setImmediate(beginLater));

    function beginLater(): void {
      pipeline.waiting -= 1;
      if (!socket.destroyed) begin();
    }

    function begin(): void {
      if (begun.size === 0) setImmediate(() => begun.clear());
      begun.add(socket);
      for (const listener of listeners) listener.call(server, req, res);
    }
  });
}

/** Node creates an error for each request that a closed connection leaves behind, and most of its time is that of the stack trace. */
function closeCheaply(socket: Socket): void {
  const { stackTraceLimit } = Error;
  socket.prependOnceListener('close', () => {
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  socket.destroy();
}
