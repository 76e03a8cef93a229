import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';

/** Responds to a request in the worst possible way. `write` waits for the client and rejects when it has disconnected. */
type Behavior = (write: (text: string | Buffer) => Promise<void>, socket: Socket) => Promise<void>;

export interface HostileServer {
  url: string;
  /** Connections that are open now. */
  readonly connections: number;
  close(): Promise<void>;
}

export interface Certificate {
  key: string;
  cert: string;
}

const kib = 1024;
const mib = 1024 * kib;
const head = (type: string, ...headers: string[]) => ['HTTP/1.1 200 OK', `content-type: ${type}`, ...headers, '', ''].join('\r\n');
const json = head('application/json', 'transfer-encoding: chunked');
const events = head('text/event-stream');
const fill = (unit: string, bytes = 64 * kib) => unit.repeat(Math.ceil(bytes / unit.length));
const toChunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const toEvent = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
const nested = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, [[], {}, []]])));

function endless(start: string, text: string | Buffer): Behavior {
  return async (write) => {
    await write(start);
    for (;;) await write(text);
  };
}

function respondOnce(text: string | Buffer): Behavior {
  return async (write, socket) => {
    await write(text);
    socket.end();
  };
}

/** The behaviors of servers that users connect to. Each name is a path on the hostile server. */
export const hostileBehaviors: Record<string, Behavior> = {
  'json-one-byte-chunks': endless(json, fill(toChunk('['))),
  'json-small-chunks': endless(json, fill(toChunk('"aaaaa'))),
  'json-long-text': endless(json, toChunk(`"${fill('x')}`)),
  'json-many-values': respondOnce(`${head('application/json', 'connection: close')}[${fill('[],', 3 * mib)}[]]`),
  'json-many-tool-calls': respondOnce(
    `${head('application/json', 'connection: close')}{"choices":[{"message":{"tool_calls":[${fill('{},', 256 * kib)}{}]}}]}`,
  ),
  'json-many-fields': respondOnce(
    `${head('application/json', 'connection: close')}{"choices":[{"message":{"tool_calls":[{${Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`)}}]}}]}`,
  ),
  'json-deep': respondOnce(`${head('application/json', 'connection: close')}${fill('[', 3 * mib)}`),
  'json-error-of-one-byte-chunks': endless(json.replace('200 OK', '500 Failed'), fill(toChunk('x'))),
  'json-compressed': respondOnce(
    Buffer.concat([Buffer.from(head('application/json', 'content-encoding: gzip', 'connection: close')), gzipSync(Buffer.alloc(64 * mib))]),
  ),
  'events-one-byte-chunks': endless(head('text/event-stream', 'transfer-encoding: chunked'), fill(toChunk('d'))),
  'events-without-end': endless(`${events}data: `, fill('x')),
  'events-of-lines': endless(events, fill('data:\n')),
  'events-of-carriage-returns': endless(events, fill('data:x\r')),
  'events-tiny': endless(events, fill('data:{}\n\n')),
  'events-of-comments': endless(events, fill(':\n')),
  'events-large': endless(events, toEvent({ content: fill('x', 400 * kib) })),
  'events-alternating': endless(events, fill(toEvent({ content: 'x' }) + toEvent({ reasoning_content: 'y' }))),
  'events-reasoning': endless(events, toEvent({ reasoning_content: fill('\u0001', 16 * kib) })),
  'events-control-characters': endless(events, toEvent({ content: fill('\u0001', 16 * kib) })),
  'events-tool-calls': endless(events, fill(toEvent({ tool_calls: [{ index: 0, function: { arguments: 'x' } }] }))),
  'events-many-tool-calls': endless(events, `data: {"choices":[{"delta":{"tool_calls":[${fill('{},', 256 * kib)}{}]}}]}\n\n`),
  'events-tool-fields': endless(events, `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"x":${nested}}]}}]}\n\n`),
  'informational-hints': endless('', fill('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')),
  'informational-continue': endless('', fill('HTTP/1.1 100 Continue\r\n\r\n')),
  'informational-unknown': endless('', fill('HTTP/1.1 199 X\r\n\r\n')),
  'switching-protocols': endless('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', fill('x')),
  'headers-many': endless('HTTP/1.1 200 OK\r\n', fill('a: b\r\n')),
  'headers-long': endless('HTTP/1.1 200 OK\r\na: ', fill('x')),
  'status-long': endless('HTTP/1.1 200 ', fill('x')),
  'trailers-many': endless(`${json}0\r\n`, fill('a: b\r\n')),
  'chunk-extensions': endless(`${json}1;`, fill('x')),
  'chunk-size-of-zeros': endless(json, fill('0')),
  'no-http': endless('', fill('\u0000')),
  'empty-lines': endless('', fill('\r\n')),
  'wrong-length': respondOnce(`${head('application/json', 'content-length: 9007199254740991')}{}`),
  silent: () => new Promise(() => {}),
  'silent-after-headers': async (write) => {
    await write(events);
    await new Promise(() => {});
  },
  reset: async (_write, socket) => void socket.resetAndDestroy(),
};

/** The behaviors of servers with a valid certificate. */
export const hostileTlsBehaviors: Record<string, Behavior> = {
  'tls-one-byte-records': async (write) => {
    await write(json);
    for (;;) for (const byte of toChunk('[')) await write(byte);
  },
  'tls-json-one-byte-chunks': endless(json, fill(toChunk('['))),
  'tls-events-tiny': endless(events, fill('data:{}\n\n')),
  'tls-informational-hints': endless('', fill('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')),
};

/** The behaviors of servers whose TLS handshake never ends. */
export const hostileHandshakes: Record<string, Behavior> = {
  'handshake-byte-by-byte': async (write) => {
    await write(Buffer.from([22, 3, 3, 64, 0, 2, 0, 63, 252]));
    for (;;) {
      await write(Buffer.alloc(1));
      await delay(10);
    }
  },
  'handshake-of-records': async (write) => {
    for (;;) await write(Buffer.from([22, 3, 3, 0, 1, 2]));
  },
  'handshake-silent': () => new Promise(() => {}),
  'handshake-reset': async (_write, socket) => void socket.resetAndDestroy(),
};

/**
 * Starts a server on which each path begins with the name of a behavior, as in `http://127.0.0.1:1234/events-tiny`. With a certificate, the
 * server uses TLS. With `handshake`, the server shows only that behavior, during the TLS handshake.
 */
export async function startHostileServer(options: { certificate?: Certificate; handshake?: string } = {}): Promise<HostileServer> {
  const { certificate, handshake } = options;
  const sockets = new Set<Socket>();
  const behaviors = certificate ? hostileTlsBehaviors : hostileBehaviors;
  const onConnection = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.once('data', (bytes: Buffer) => {
      const name = /^[A-Z]+ \/([\w-]+)/.exec(bytes.toString('latin1'))?.[1] ?? '';
      const behave = handshake === undefined ? behaviors[name] : hostileHandshakes[handshake];
      if (!behave) throw new Error(`There is no behavior ${handshake ?? name}`);
      socket.resume();
      // The behavior ends when the client closes the connection.
      behave((text) => write(socket, text), socket).catch(() => undefined);
    });
  };
  const server = certificate ? createTlsServer(certificate, onConnection) : createServer(onConnection);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${certificate || handshake ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return sockets.size;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function write(socket: Socket, text: string | Buffer): Promise<void> {
  if (socket.destroyed) throw new Error('The client is gone');
  if (!socket.write(text)) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onClose = () => reject(new Error('The client is gone'));
    socket.once('drain', resolve).once('close', onClose);
    await promise.finally(() => socket.off('drain', resolve).off('close', onClose));
  }
  // Lets the event loop serve other connections.
  await new Promise(setImmediate);
}
