import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between the service and its database that can be made to fail. */
export interface TcpProxy {
  /** The database's address through this proxy. */
  url: string;
  /** Forwards everything again. */
  restore(): void;
  /** Breaks all connections and refuses new ones. */
  cut(): void;
  /** Keeps connections open and accepts new ones, but forwards no more bytes. */
  stall(): void;
  /** Breaks a connection right after the database has received statements that contain these strings, in this order. */
  cutAfter(...texts: string[]): void;
}

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy & { close(): void }> {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let state: 'working' | 'cut' | 'stalled' = 'working';
  let fatalTexts: string[] = [];

  const server = createServer((client) => {
    if (state === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const database = connect(Number(port), hostname);
    let seen = 0;
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (chunk) => {
        if (state === 'stalled') return;
        to.write(chunk);
        const awaited = fatalTexts[seen];
        if (from === database || awaited === undefined || !chunk.includes(awaited)) return;
        seen += 1;
        if (seen === fatalTexts.length) {
          fatalTexts = [];
          // The database executes the statement, but its result is lost.
          database.removeAllListeners('data').once('data', () => client.resetAndDestroy());
        }
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    restore() {
      // Stalled connections have lost bytes and cannot continue.
      if (state === 'stalled') breakAll();
      state = 'working';
    },
    cut() {
      state = 'cut';
      breakAll();
    },
    stall() {
      state = 'stalled';
    },
    cutAfter(...texts) {
      fatalTexts = texts;
    },
    close() {
      server.close();
      breakAll();
    },
  };
}
