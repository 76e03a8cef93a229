import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The wire between the service and its database, for pulling. */
export interface TcpProxy {
  /** The database's address by way of this proxy. */
  url: string;
  /** Everything is let through. */
  mend(): void;
  /** Connections break and new ones are refused at once. */
  cut(): void;
  /** Connections stay and new ones are taken, but no byte passes any more. */
  stall(): void;
  /** Breaks the connection over which a statement with this text goes, right after the database has received it. */
  cutAfter(text: string): void;
}

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy & { close(): void }> {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let state: 'mended' | 'cut' | 'stalled' = 'mended';
  let fatalText: string | undefined;

  const server = createServer((client) => {
    if (state === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const database = connect(Number(port), hostname);
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
        if (from === client && fatalText !== undefined && chunk.includes(fatalText)) {
          fatalText = undefined;
          // The answer is lost, the statement is not.
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
    mend() {
      // What stalled has lost bytes and must not come back to life.
      if (state === 'stalled') breakAll();
      state = 'mended';
    },
    cut() {
      state = 'cut';
      breakAll();
    },
    stall() {
      state = 'stalled';
    },
    cutAfter(text) {
      fatalText = text;
    },
    close() {
      server.close();
      breakAll();
    },
  };
}
