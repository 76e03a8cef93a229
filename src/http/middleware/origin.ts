import type { Server } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/** Rejects requests that a browser sends on behalf of another site. Requests that do not state their origin are rejected too. */
export function assertSameOrigin(req: FastifyRequest, publicOrigin: string | undefined): void {
  const isOwn = req.headers.origin === undefined ? req.headers['sec-fetch-site'] === 'same-origin' : isOwnOrigin(req, publicOrigin);
  if (!isOwn) throw new AppError('cross_origin');
}

/** Returns whether the request states the service's own origin. */
export function isOwnOrigin(req: FastifyRequest, publicOrigin: string | undefined): boolean {
  return req.headers.origin === (publicOrigin ?? `${req.protocol}://${req.host}`);
}

/**
 * Returns the origin of the listening socket, for links when PUBLIC_URL is not set. The origin is never taken from a request: with a forged
 * `Host` header, an attacker could make another person's reset link point to the attacker's server.
 */
export function listeningOrigin(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return 'http://localhost';
  const { address: ip, family, port } = address;
  if (host === 'localhost' || ip === '0.0.0.0' || ip === '::') return `http://localhost:${port}`;
  return `http://${family === 'IPv6' ? `[${ip}]` : ip}:${port}`;
}
