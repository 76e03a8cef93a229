import { connect, type Socket } from 'node:net';

/** Open streams of events, read with as little work as possible. */
export interface Streams {
  /**
   * Resolves with the time at which the last stream received the text. Call this method before the action that makes the service send the
   * text.
   */
  untilAll(text: string): Promise<number>;
  close(): void;
}

/** The number of connections to open at once. More connections would only wait in the server's backlog. */
const batchSize = 100;

/** Opens streams, using the keys in turn, and waits for the first event of each stream. */
export async function openStreams({ port, keys, count }: { port: number; keys: string[]; count: number }): Promise<Streams> {
  const sockets: Socket[] = [];
  for (let start = 0; start < count; start += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, count - start) }, (_, index) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys[(start + index) % keys.length]}\r\n\r\n`);
      return socket;
    });
    sockets.push(...batch);
    await Promise.all(batch.map((socket) => waitFor(socket, '"hello"')));
  }
  // The streams are read even if nobody waits for them.
  for (const socket of sockets) socket.resume();
  return {
    async untilAll(text) {
      await Promise.all(sockets.map((socket) => waitFor(socket, text)));
      return performance.now();
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function waitFor(socket: Socket, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let received = '';
  const onClose = () => reject(new Error(`A stream has ended: ${received.slice(0, 200)}`));
  const onData = (chunk: Buffer) => {
    received += chunk;
    if (!received.includes(text)) return;
    socket.off('data', onData).off('close', onClose).off('error', reject);
    resolve();
  };
  socket.on('data', onData).once('close', onClose).once('error', reject);
  return promise;
}
