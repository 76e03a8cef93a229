import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

// A random prefix per process and a counter are as unique as a random id per request, and much cheaper.
const processId = randomBytes(6).toString('hex');
let count = 0;

export function newRequestId(): string {
  count += 1;
  return `${processId}-${count.toString(36)}`;
}

/**
 * The caller's request id if it is valid, so that the logs of both sides can be correlated. At most 64 characters, so that an
 * API key, which has 67, sent here by mistake is not logged.
 */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : newRequestId();
}
