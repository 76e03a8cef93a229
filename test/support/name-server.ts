import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer {
  /** The address for a resolver's `setServers`. */
  address: string;
  /** The names that were asked for. */
  asked: string[];
  /** Resolves when a question arrives. */
  nextQuestion(): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Starts a real name server that knows the IPv4 addresses of a few names. The server never responds to questions about a `'silent'` name.
 * All other names do not exist.
 */
export async function startNameServer(names: Record<string, string[] | 'silent'>): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    const known = names[name];
    if (known === 'silent') return;
    const addresses = type === 1 ? (known ?? []) : [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(addresses.length, 6);
    header.writeUInt32BE(0, 8);
    const answers = addresses.map((ip) => Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...ip.split('.').map(Number)]));
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    nextQuestion: () => once(socket, 'message'),
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}
