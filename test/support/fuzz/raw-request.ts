import { connect } from 'node:net';
import type { Random } from '../random.ts';
import { mutateText } from './mutations.ts';
import type { FuzzRequest } from './requests.ts';

/** Returns the bytes of a request with errors in its body, lengths, line ends, versions or names. */
export function malform({ method, path, headers, body = Buffer.alloc(0) }: FuzzRequest, random: Random): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const lengths = [
    `content-length: ${body.length}`,
    'transfer-encoding: chunked',
    `content-length: ${body.length + 1}`,
    'content-length: -1',
  ];
  const ends = ['\r\n', '\r\n', '\n', '\r', '\r\n '];
  const head = [
    `${method} ${path} HTTP/${random.pick(['1.1', '1.1', '1.0', '2.0', '9.9', ''])}`,
    random.pick(['host: x', 'host: x\r\nhost: y', 'host:', 'connection: upgrade\r\nupgrade: websocket']),
    random.pick(lengths),
    random.pick(['connection: close', 'connection: keep-alive', 'expect: 100-continue', 'expect: nothing']),
    ...lines,
  ];
  const text = `${head.join(random.pick(ends))}\r\n\r\n${body.subarray(0, 2000).toString('latin1')}`;
  return random.below(2) === 0 ? mutateText(text, random) : Buffer.from(text, 'latin1');
}

// The service keeps the connection of an incomplete request open for longer than this time.
const giveUpMs = 1000;

/** Sends the bytes and returns everything that is received until the connection is closed. */
export function sendBytes({ url }: { url: string }, bytes: Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += String(chunk);
  });
  socket.setTimeout(giveUpMs, () => socket.destroy());
  socket.on('error', () => undefined).on('close', () => resolve(text));
  socket.end(bytes);
  return promise;
}
