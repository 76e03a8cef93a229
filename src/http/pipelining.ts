import type { IncomingMessage, Server } from 'node:http';
import { interceptRequests } from './intercept-requests.ts';
import type { RejectionLog } from './observability/rejection-log.ts';

type Socket = IncomingMessage['socket'];

/** The maximum number of requests that wait on one connection. */
const maxWaiting = 32;

interface Pipeline {
  isBusy: boolean;
  /** The functions that start the waiting requests. */
  waiting: (() => void)[];
}

/**
 * Serves the requests of a connection one at a time, each in its own turn of the event loop. Without this function, Node starts all
 * requests that have arrived, possibly thousands, before anything else happens. Node keeps only the responses in order, so a read could see
 * a change that was requested after it, and one connection could delay all other connections. A connection with too many waiting requests
 * is closed.
 */
export function servePipelinesInOrder(server: Server, rejections: RejectionLog): void {
  const pipelines = new WeakMap<Socket, Pipeline>();
  interceptRequests(server, (req, res, next) => {
    const { socket } = req;
    // Node parses all data that it has received, even after the connection is closed.
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

/**
 * Closes a connection without stack traces. When a connection is closed, Node creates an error for each unfinished request. Most of the
 * time would be spent on the stack traces of these errors.
 */
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
