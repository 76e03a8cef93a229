import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createAddressGuard, type Resolve } from './address-guard.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';

export interface OutboundRequest {
  url: URL;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string | undefined;
  /** For the whole request, until its response is read. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface OutboundResponse {
  status: number;
  headers: IncomingMessage['headers'];
  /** The response as it arrives. Throws an OutboundError if it breaks off. */
  body: AsyncIterable<Buffer>;
  /** Reads the response as text, at most so many bytes of it, and closes the connection. */
  text(maxBytes: number): Promise<string>;
}

/**
 * Sends requests to servers that users name: webhooks and models. It connects only to public addresses and the exceptions of
 * OUTBOUND_ALLOW, checks them for every connection, follows no redirect and uses no connection twice.
 */
export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /** Throws an OutboundError if a request to this URL would be refused now. A host that cannot be resolved is not. */
  assertAllowed(url: URL): Promise<void>;
}

/** A slow name server must not hold up whoever enters a URL: it is checked again for every request. */
const checkTimeoutMs = 3000;

export function createOutbound({ allow, resolve }: { allow: readonly string[]; resolve?: Resolve }): Outbound {
  const guard = createAddressGuard(allow, resolve);

  return {
    assertAllowed(url) {
      return new Promise((done, refuse) => {
        assertPlainUrl(url);
        guard.assertAllowed(url.hostname);
        const timer = setTimeout(done, checkTimeoutMs);
        guard.lookup(url.hostname.replace(/^\[|\]$/g, ''), { all: true }, (err) => {
          clearTimeout(timer);
          if (err instanceof OutboundError) refuse(err);
          else done();
        });
      });
    },

    async send({ url, method, headers, body, timeoutMs, signal }) {
      assertPlainUrl(url);
      guard.assertAllowed(url.hostname);
      const deadline = AbortSignal.timeout(timeoutMs);
      const signals = signal ? AbortSignal.any([signal, deadline]) : deadline;
      const describe = (err: unknown) => toOutboundError(deadline.aborted ? deadline.reason : err, { host: url.host, timeoutMs });
      const response = await open({ url, method, headers, body, signal: signals, lookup: guard.lookup }).catch((err: unknown) => {
        throw describe(err);
      });
      const chunks = readChunks(response, describe);
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: chunks,
        text: (maxBytes) => readText(chunks, maxBytes),
      };
    },
  };
}

/** Throws unless the URL is `http` or `https` without a user name and password. */
export function assertPlainUrl(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new OutboundError('blocked', 'Use a URL that starts with https://');
  if (url.username || url.password) throw new OutboundError('blocked', 'Use a URL without a user name and password');
}

type OpenOptions = Omit<OutboundRequest, 'timeoutMs'> & { lookup: ReturnType<typeof createAddressGuard>['lookup']; signal: AbortSignal };

function open({ url, body, ...options }: OpenOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    // Without an agent, each request has a connection of its own, whose address was checked for it.
    const req = send(url, { ...options, agent: false });
    req.once('response', resolve);
    req.on('error', reject);
    // A response that switches protocols closes the connection without a response or an error.
    req.once('close', () => reject(new Error('The connection was closed without a response')));
    req.end(body);
  });
}

async function* readChunks(response: IncomingMessage, describe: (err: unknown) => OutboundError): AsyncGenerator<Buffer> {
  try {
    // Without a decoder set, Node's chunks are buffers.
    for await (const chunk of response as AsyncIterable<Buffer>) yield chunk;
  } catch (err) {
    throw describe(err);
  } finally {
    response.destroy();
  }
}

async function readText(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    read.push(chunk.subarray(0, maxBytes - bytes));
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(read).toString('utf8');
}
