import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a server, which can cut the server off. */
export interface CuttableProxy {
  /** Keeps all connections open and accepts new ones, but forwards nothing. */
  cut(): void;
  /** Forwards the data that was held back, like a network that recovers. */
  restore(): void;
  close(): void;
}

export async function startCuttableProxy(address: string, target: string, port: number): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;

  const server = createServer((client) => {
    const upstream = connect(port, target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (chunk) => void to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroySoon();
      });
      if (isCut) from.pause();
    }
  });
  server.listen(port, address);
  await once(server, 'listening');

  return {
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    restore() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
