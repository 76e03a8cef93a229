import { type IncomingMessage, METHODS, type Server, type ServerResponse } from 'node:http';

/**
 * Passes on only requests of HTTP/1. Node's parser also reads HTTP/0.9, which has no version in its request line, RTSP, ICE and the
 * preface of HTTP/2, with methods of theirs that the router does not know.
 */
export function refuseOtherProtocols(server: Server, refuse: (res: ServerResponse) => void): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (req, res) => {
    if (!isHttp1(req)) return refuse(res);
    for (const listener of listeners) listener.call(server, req, res);
  });
}

const methods = new Set(METHODS);

function isHttp1({ httpVersionMajor, method = '' }: IncomingMessage): boolean {
  return httpVersionMajor === 1 && methods.has(method);
}
