import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { RejectionLog } from './observability/rejection-log.ts';

type Socket = IncomingMessage['socket'];

/** How many requests may be behind others on one connection. */
const maxBehind = 32;
/** To Node's parser: what follows is another protocol. */
const stopParsing = 2;

/**
 * Keeps pipelined requests from overtaking each other. Node starts a request before the earlier ones on its connection are done, and
 * only sends the responses in order; without this, a read could see the change of a request that was sent after it. Reads may still run
 * together (RFC 9112, 9.3.2). Node also starts all requests that arrive in one piece, thousands of them, before anything else happens;
 * a connection with too many is closed.
 */
export function keepPipelineOrder(server: Server, rejections: RejectionLog): void {
  const listeners = server.listeners('request');
  const lastChange = new WeakMap<Socket, ServerResponse>();
  const behind = new WeakMap<Socket, number>();
  server.removeAllListeners('request');
  server.on('request', (req, res) => {
    const isBehind = isBehindOthers(res);
    if (isBehind && !mayWait(req.socket, res)) return;
    const isChange = req.method !== 'GET' && req.method !== 'HEAD';
    const mustWait = isBehind && (isChange || lastChange.get(req.socket)?.writableFinished === false);
    if (isChange) lastChange.set(req.socket, res);
    // The response gets its socket once all earlier ones are sent.
    if (mustWait) res.once('socket', start);
    else start();

    function start(): void {
      for (const listener of listeners) listener.call(server, req, res);
    }
  });

  function mayWait(socket: Socket, res: ServerResponse): boolean {
    const count = (behind.get(socket) ?? 0) + 1;
    if (count > maxBehind) {
      rejections.add({ code: 'too_many_pipelined', reason: `more than ${maxBehind} behind another` });
      socket.destroy();
      stopParser(socket);
      return false;
    }
    behind.set(socket, count);
    res.once('socket', () => behind.set(socket, (behind.get(socket) ?? 1) - 1));
    return true;
  }
}

function isBehindOthers(res: ServerResponse): boolean {
  return res.socket === null;
}

/** Node has no public way to drop what it has received. Without this, it would make an object of each request that is left. */
function stopParser(socket: Socket & { parser?: { onIncoming?: () => number } }): void {
  if (socket.parser?.onIncoming) socket.parser.onIncoming = () => stopParsing;
}
