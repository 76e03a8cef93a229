import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addToCount } from '../platform/add-to-count.ts';
import { networkOf } from '../platform/networks.ts';
import { tryTo } from '../platform/try-to.ts';
import type { RejectionLog } from './observability/rejection-log.ts';

interface ConnectionLimits {
  max: number;
  /** The maximum number of connections per address. Undefined behind a proxy, where all clients have the same address. */
  perAddress: number | undefined;
}

const generousMax = 10_000;
/** The number of files that are reserved for the database, the log, child processes and other files. */
const reservedFiles = 200;
/** The share of open files that is reserved for connections to webhooks and models. */
const outboundShare = 1 / 4;

/** Closes connections above the limits as they arrive, so that a flood can exhaust neither memory nor file descriptors. */
export function limitConnections(server: Server, { max, perAddress }: ConnectionLimits, rejections: RejectionLog): void {
  server.maxConnections = max;
  server.on('drop', () => rejections.add({ code: 'too_many_connections', reason: `more than ${max}` }));
  if (perAddress === undefined) return;

  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    // Programs on this machine are not limited, because one of them may be a proxy. Besides, a hostile program on this machine could do
    // more harm than opening connections.
    if (isLoopback(network)) return;
    if ((counts.get(network) ?? 0) >= perAddress) {
      rejections.add({ code: 'too_many_connections', reason: `more than ${perAddress} from one address` });
      socket.destroy();
      return;
    }
    addToCount(counts, network, 1);
    socket.once('close', () => addToCount(counts, network, -1));
  });
}

/**
 * Returns the maximum number of connections to accept. It depends on the number of files that the process may open, if that number is
 * known. An upper bound saves memory.
 */
export function findMaxConnections(): number {
  return Math.max(reservedFiles, Math.min(generousMax, Math.floor(findFileLimit() * (1 - outboundShare)) - reservedFiles));
}

function isLoopback(network: string): boolean {
  return network === '' || network.startsWith('127.') || network === networkOf('::1');
}

function findFileLimit(): number {
  // This file exists only on Linux. Node raises the soft limit to the hard one when it starts.
  const limits = tryTo(() => readFileSync('/proc/self/limits', 'utf8')) ?? '';
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}
