import { type IncomingMessage, request as requestHttp } from 'node:http';
import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type AddressGuardOptions, createAddressGuard } from './address-guard.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import type { JobRequest } from './outbound-messages.ts';
import { PacedSocket } from './paced-socket.ts';
import type { Address } from './resolver.ts';

export interface HttpRequest extends Omit<JobRequest, 'workspaceId' | 'url'> {
  url: URL;
  signal?: AbortSignal | undefined;
}

export type HttpClient = ReturnType<typeof createHttpClient>;
export type HttpResponse = Awaited<ReturnType<HttpClient['send']>>;

/** The timeout is short, so that a slow name server does not delay a user who enters a URL. The URL is checked again for every request. */
const checkTimeoutMs = 3000;
/** The timeout for the name lookup, the connection and the TLS handshake together. */
const connectTimeoutMs = 10_000;
const maxHeaderBytes = 16 * 1024;
/** The maximum number of informational responses, such as `100 Continue` and `103 Early Hints`. */
const maxInformationalResponses = 4;
/**
 * The maximum ratio of all bytes to content bytes. A response in chunks of 20 bytes just meets this limit. Models send events that are
 * longer than 20 bytes.
 */
const maxFraming = 1.25;
/**
 * The number of bytes of overhead that are allowed in addition to the ratio: headers, the framing of a few chunks, and content that is
 * still buffered.
 */
const maxOverheadBytes = 192 * 1024;

/**
 * Sends requests to servers that users name: webhooks and model servers. Connects only to public addresses and the exceptions in
 * OUTBOUND_ALLOW. The address of every connection is checked, redirects are not followed, and each connection is used only once.
 */
export function createHttpClient(options: AddressGuardOptions) {
  const resolveAllowed = createAddressGuard(options);

  return {
    /** Throws an OutboundError if a request to this URL would be refused now. A host that cannot be resolved is not refused. */
    async assertAllowed(url: URL): Promise<void> {
      assertPlainUrl(url);
      try {
        await resolveAllowed(url.hostname, AbortSignal.timeout(checkTimeoutMs));
      } catch (err) {
        if (err instanceof OutboundError) throw err;
      }
    },

    async send({ url, timeoutMs, signal, ...request }: HttpRequest) {
      assertPlainUrl(url);
      const deadline = AbortSignal.timeout(timeoutMs);
      const connecting = createDeadline(Math.min(connectTimeoutMs, timeoutMs));
      const ending = AbortSignal.any([deadline, connecting.signal, ...(signal ? [signal] : [])]);
      const describe = (err: unknown) => {
        const isLate = connecting.signal.aborted && !deadline.aborted;
        const reason = ending.aborted && !signal?.aborted ? ending.reason : err;
        return toOutboundError(reason, { host: url.host, timeoutMs: isLate ? connectTimeoutMs : timeoutMs });
      };
      try {
        const addresses = await resolveAllowed(url.hostname, ending);
        const socket = await connect(url, addresses, ending);
        connecting.clear();
        const response = await exchange(socket, { ...request, url, signal: ending });
        return {
          status: response.statusCode ?? 0,
          headers: response.headers,
          /** The response as it arrives. Throws an OutboundError if the connection ends early. */
          body: readBody(response, { host: url.host, socket, describe }),
          /** Closes the connection. Call it if the body is not read. */
          close: () => void socket.destroy(),
        };
      } catch (err) {
        throw describe(err);
      } finally {
        connecting.clear();
      }
    },
  };
}

/** Throws unless the URL is `http` or `https` without a user name and password. */
function assertPlainUrl(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new OutboundError('blocked', 'Use a URL that starts with https://');
  if (url.username || url.password) throw new OutboundError('blocked', 'Use a URL without a user name and password');
}

/** Connects to one of the addresses that were checked. */
async function connect(url: URL, addresses: Address[], signal: AbortSignal): Promise<PacedSocket> {
  signal.throwIfAborted();
  const isTls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (isTls ? 443 : 80);
  const lookup: LookupFunction = (_name, options, callback) => {
    const [first] = addresses;
    if (options.all || !first) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
  const isName = addresses[0]?.address !== host;
  const socket: Socket = isTls
    ? connectTls({ host, port, lookup, ...(isName && { servername: host }), ALPNProtocols: ['http/1.1'] })
    : connectTcp({ host, port, lookup });
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => socket.destroy(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  socket.once(isTls ? 'secureConnect' : 'connect', resolve).once('error', reject);
  socket.once('close', () => reject(new Error('The connection was closed')));
  try {
    await connected;
  } finally {
    signal.removeEventListener('abort', onAbort);
    socket.off('error', reject);
  }
  return new PacedSocket(socket);
}

type Exchange = Omit<HttpRequest, 'timeoutMs'> & { signal: AbortSignal };

/** Sends the request, and resolves when the headers of its response have arrived. */
function exchange(socket: PacedSocket, { url, body, ...options }: Exchange): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let informational = 0;
    const host = { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port, path: url.pathname + url.search };
    const headers = { host: url.host, ...options.headers };
    const req = requestHttp({ ...host, ...options, headers, createConnection: () => socket, maxHeaderSize: maxHeaderBytes });
    req.once('response', resolve);
    req.on('information', () => {
      informational += 1;
      if (informational <= maxInformationalResponses) return;
      req.destroy(new OutboundError('invalid', `${url.host} sent more than ${maxInformationalResponses} informational responses`));
    });
    req.on('error', reject);
    // A response that switches protocols closes the connection without a response or an error event.
    req.once('close', () => reject(new Error('The connection was closed without a response')));
    req.end(body);
  });
}

interface BodyOptions {
  host: string;
  socket: PacedSocket;
  describe(err: unknown): OutboundError;
}

async function* readBody(response: IncomingMessage, { host, socket, describe }: BodyOptions): AsyncGenerator<Buffer> {
  let contentBytes = 0;
  try {
    // The chunks are buffers, because no encoding is set.
    for await (const chunk of response as AsyncIterable<Buffer>) {
      contentBytes += chunk.length;
      // Parsing content in chunks of one byte takes as much work as parsing content of many times the size.
      if (socket.bytesPassed > maxFraming * contentBytes + maxOverheadBytes) {
        throw new OutboundError('invalid', `${host} sent a response with too much framing overhead`);
      }
      yield chunk;
    }
  } catch (err) {
    throw describe(err);
  } finally {
    response.destroy();
    socket.destroy();
  }
}

/** Creates a signal that is aborted after a timeout, unless it is cleared. */
function createDeadline(timeoutMs: number): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('The request timed out', 'TimeoutError')), timeoutMs);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
