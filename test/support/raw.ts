import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  /** The headers, with lowercase names. */
  headers: Record<string, string>;
  text: string;
}

/**
 * Sends bytes unchanged, for requests that no regular client makes. Returns all responses until the service closes the connection. The last
 * request must have `Connection: close`.
 */
export async function sendRaw(service: { url: string }, ...parts: (string | Buffer)[]): Promise<RawResponse[]> {
  const { hostname, port } = new URL(service.url);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const received: Buffer[] = [];
  const socket = connect(Number(port), hostname);
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  socket.on('error', (err: NodeJS.ErrnoException) => {
    // The service may close the connection while the test still sends. The responses that arrived before still count.
    if (err.code !== 'ECONNRESET' && err.code !== 'EPIPE') reject(err);
  });
  socket.on('close', () => resolve(Buffer.concat(received)));
  for (const part of parts) socket.write(part);
  return parseResponses((await promise).toString('latin1'));
}

/**
 * Sends requests on one connection and returns their responses in the same order. If the service closes the connection after a response,
 * the remaining requests are sent on another one. The last request must have `Connection: close`.
 */
export async function sendRawInOrder(service: { url: string }, requests: Buffer[]): Promise<RawResponse[]> {
  const responses: RawResponse[] = [];
  while (responses.length < requests.length) {
    const received = await sendRaw(service, Buffer.concat(requests.slice(responses.length)));
    assert.ok(received.length > 0, `no response to ${requests[responses.length]?.toString('latin1').slice(0, 300)}`);
    responses.push(...received);
  }
  return responses;
}

/** Sends one request and returns its one response. */
export async function sendRawOnce(service: { url: string }, ...parts: (string | Buffer)[]): Promise<RawResponse> {
  const responses = await sendRaw(service, ...parts);
  assert.equal(responses.length, 1, `expected one response, got ${responses.length}`);
  return responses[0] as RawResponse;
}

/** Resolves with the next bytes from a socket. Rejects if the socket closes instead. */
export async function nextData(socket: Socket): Promise<Buffer> {
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    const closed = once(socket, 'close', { signal }).then(() => assert.fail('the connection was closed without a response'));
    const [data] = await Promise.race([once(socket, 'data', { signal }), closed]);
    return data as Buffer;
  } finally {
    waiting.abort();
  }
}

function parseResponses(stream: string): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = stream;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    assert.notEqual(end, -1, `not an HTTP response: ${rest.slice(0, 100)}`);
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    const status = Number(statusLine.split(' ')[1]);
    const body = rest.slice(end + 4);
    const { text, length } = headers['transfer-encoding'] === 'chunked' ? joinChunks(body) : takeLength(body, headers);
    if (status !== 100) responses.push({ status, headers, text });
    rest = body.slice(length);
  }
  return responses;
}

function takeLength(body: string, headers: Record<string, string>): { text: string; length: number } {
  const length = Number(headers['content-length'] ?? 0);
  return { text: body.slice(0, length), length };
}

function joinChunks(body: string): { text: string; length: number } {
  let text = '';
  for (let start = 0; ; ) {
    const end = body.indexOf('\r\n', start);
    const size = Number.parseInt(body.slice(start, end), 16);
    assert.ok(size >= 0, `not a chunk: ${body.slice(start, start + 100)}`);
    text += body.slice(end + 2, end + 2 + size);
    start = end + 2 + size + 2;
    if (size === 0) return { text, length: start };
  }
}
