import type { Outbound } from './outbound.ts';
import { OutboundError } from './outbound-error.ts';

/** Tells the operator which addresses were refused. Users are not told what a name resolves to. */
export function reportBlocked({ send, assertAllowed }: Outbound, report: (reason: string) => void): Outbound {
  function onError(err: unknown): never {
    if (err instanceof OutboundError && err.kind === 'blocked' && err.cause instanceof Error) report(err.cause.message);
    throw err;
  }
  return {
    send: (request) => send(request).catch(onError),
    assertAllowed: (url) => assertAllowed(url).catch(onError),
  };
}
