import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

// A random prefix per process with a counter is as unique as a random id per request, and much cheaper.
const processId = randomBytes(6).toString('hex');
let count = 0;

export function newRequestId(): string {
  count += 1;
  return `${processId}-${count.toString(36)}`;
}

/**
 * Returns the caller's request id if it is valid, so that the logs of both sides can be correlated. A valid id has at most 64 characters.
 * An API key has 67, so it is not logged if someone sends it as a request id by mistake.
 */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : newRequestId();
}
