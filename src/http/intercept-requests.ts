import type { RequestListener, Server } from 'node:http';

type Interceptor = (...request: [...Parameters<RequestListener>, next: () => void]) => void;

/** Puts a function in front of the server's listeners for requests. The function calls `next` to pass a request on to these listeners. */
export function interceptRequests(server: Server, intercept: Interceptor): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (req, res) => {
    intercept(req, res, () => {
      for (const listener of listeners) listener.call(server, req, res);
    });
  });
}
