import type { CustomFetch } from 'openid-client';
import { isSecure } from '../../sign-in-settings.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';

const timeoutMs = 10_000;

/**
 * Returns a `fetch` for the requests to a provider. These requests have the same limits as requests to servers that users name: a limited
 * size and time, no redirects, and no private addresses except those in OUTBOUND_ALLOW.
 */
export function createProviderFetch(outbound: Outbound, providerId: string): CustomFetch {
  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address);
    if (!isSecure(url)) throw new OutboundError('blocked', `The provider names an address that does not use https: ${url.origin}`);
    const request = {
      workspaceId: `provider ${providerId}`,
      url: url.href,
      method: method === 'POST' ? ('POST' as const) : ('GET' as const),
      // The library passes the headers as an object or, for some requests, as Headers.
      headers: Object.fromEntries(new Headers(headers)),
      ...(body !== undefined && body !== null && { body: String(body) }),
      timeoutMs,
    };
    const { status, text, json } = await outbound.readJson(request, signal ?? AbortSignal.timeout(timeoutMs));
    // `readJson` accepts only JSON, so this content type is correct whatever type the server states.
    return new Response(json ?? text, { status, headers: { 'content-type': 'application/json' } });
  };
}
