import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

const current = new AsyncLocalStorage<string>();

/** Reads the id of the caller's trace from the header `traceparent` (W3C Trace Context). */
export function readTraceId(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  return /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/.exec(header)?.[1];
}

/** Calls a function whose requests to other servers belong to a trace. */
export function runInTrace(traceId: string, work: () => void): void {
  current.run(traceId, work);
}

/** Returns the header with which a request to another server continues the current trace. Without a current trace, the result is empty. */
export function traceHeaders(): { traceparent?: string } {
  const traceId = current.getStore();
  return traceId === undefined ? {} : { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
}
