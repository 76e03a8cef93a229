import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * Keeps pipelined requests from overtaking each other. Node starts a request before the earlier ones on its connection are done, and
 * only sends the responses in order; without this, a read could see the change of a request that was sent after it. Reads may still run
 * together (RFC 9112, 9.3.2).
 */
export function keepPipelineOrder(server: Server): void {
  const listeners = server.listeners('request');
  const lastChange = new WeakMap<IncomingMessage['socket'], ServerResponse>();
  server.removeAllListeners('request');
  server.on('request', (req, res) => {
    const isChange = req.method !== 'GET' && req.method !== 'HEAD';
    const mustWait = isBehindOthers(res) && (isChange || lastChange.get(req.socket)?.writableFinished === false);
    if (isChange) lastChange.set(req.socket, res);
    // The response gets its socket once all earlier ones are sent.
    if (mustWait) res.once('socket', start);
    else start();

    function start(): void {
      for (const listener of listeners) listener.call(server, req, res);
    }
  });
}

function isBehindOthers(res: ServerResponse): boolean {
  return res.socket === null;
}
