import type { IncomingMessage, Server } from 'node:http';
import { interceptRequests } from './intercept-requests.ts';
import type { RejectionLog } from './observability/rejection-log.ts';

type Socket = IncomingMessage['socket'];

/** How many requests may wait for others on one connection. */
const maxWaiting = 32;

interface Pipeline {
  isBusy: boolean;
  /** Begins each of the requests that wait. */
  waiting: (() => void)[];
}

/**
 * Serves the requests of a connection one after the other, each in a turn of the event loop of its own. Node starts all that have arrived,
 * thousands of them, before anything else happens, and only sends the responses in order. Then a read could see the change of a request
 * that was sent after it, and one connection could delay all others. A connection with too many that wait is closed.
 */
export function servePipelinesInOrder(server: Server, rejections: RejectionLog): void {
  const pipelines = new WeakMap<Socket, Pipeline>();
  interceptRequests(server, (req, res, next) => {
    const { socket } = req;
    // Node parses all that it has received, also after the connection is closed.
    if (socket.destroyed) return;
    const pipeline = pipelines.get(socket) ?? { isBusy: false, waiting: [] };
    pipelines.set(socket, pipeline);
    if (!pipeline.isBusy) return begin();
    if (pipeline.waiting.push(begin) <= maxWaiting) return;
    rejections.add({ code: 'too_many_pipelined', reason: `more than ${maxWaiting} on one connection` });
    closeCheaply(socket);

    function begin(): void {
      pipeline.isBusy = true;
      res.once('close', () => setImmediate(beginNext));
      next();
    }

    function beginNext(): void {
      pipeline.isBusy = false;
      if (!socket.destroyed) pipeline.waiting.shift()?.();
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
