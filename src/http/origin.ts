import type { Server } from 'node:http';

/**
 * Where a server listens, for links when no PUBLIC_URL is set. Taken from the socket, never from a request: with a forged
 * `Host` header, anyone could have a link mailed to someone else that leads to a server of their own.
 */
export function listeningOrigin(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return 'http://localhost';
  const { address: host, family, port } = address;
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
