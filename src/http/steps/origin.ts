import type { Server } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/** Refuses what another site makes a browser send. Browsers state the origin of a request; one that does not is refused too. */
export function assertOwnOrigin(req: FastifyRequest, publicOrigin: string | undefined): void {
  const { origin } = req.headers;
  const own = publicOrigin ?? `${req.protocol}://${req.host}`;
  const isOwn = origin === undefined ? req.headers['sec-fetch-site'] === 'same-origin' : origin === own;
  if (!isOwn) throw new AppError('cross_origin');
}

/**
 * Where a server listens, for links when PUBLIC_URL is not set. Taken from the socket, never from a request: with a forged `Host`
 * header anyone could have a link mailed to someone else that leads to a server of their own.
 */
export function listeningOrigin(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return 'http://localhost';
  const { address: host, family, port } = address;
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
