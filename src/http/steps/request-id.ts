import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

// Random per process, then counted: as unique as a random id for each request, at a fraction of the cost.
const processId = randomBytes(6).toString('hex');
let count = 0;

export function newRequestId(): string {
  count += 1;
  return `${processId}-${count.toString(36)}`;
}

/**
 * The caller's own id where it sent a sane one, so that both sides' logs can be laid side by side. At most 64 characters: an
 * API key has 67, and must not come into the log this way.
 */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : newRequestId();
}
