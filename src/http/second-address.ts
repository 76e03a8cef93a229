import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { loopbackAddresses } from '../platform/loopback.ts';

/**
 * Lets the server also accept connections on the other address of `localhost`. Fastify would start a second server for that address, which
 * would have neither the fast path nor the service's limits.
 */
export function acceptOnSecondAddress(app: FastifyInstance, { max, logger }: { max: number; logger: Logger }): void {
  const host = loopbackAddresses[1];
  // These are the options that Node's HTTP server uses.
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket));
  shareMaxConnections(app.server, second, max);
  second.on('drop', (dropped) => app.server.emit('drop', dropped));
  let closed: Promise<unknown> = Promise.resolve();
  app.addHook('onListen', async () => {
    const { port } = app.server.address() as AddressInfo;
    try {
      await once(second.listen({ port, host }), 'listening');
    } catch (err) {
      logger.warn(
        { host, port, reason: err instanceof Error ? err.message : String(err) },
        'the second address of localhost is not served',
      );
      return;
    }
    second.on('error', (err) => app.server.emit('error', err));
    closed = once(second, 'close');
  });
  app.addHook('preClose', async () => void (second.listening && second.close()));
  app.addHook('onClose', async () => void (await closed));
}

/** Applies the connection limit to both servers together. The connections of the second server count as connections of the first. */
function shareMaxConnections(first: Server, second: ReturnType<typeof createServer>, max: number): void {
  let [all, ofSecond] = [0, 0];
  const count = (change: number, isOfSecond: boolean) => {
    all += change;
    if (isOfSecond) ofSecond += change;
    first.maxConnections = max - ofSecond;
    second.maxConnections = max - (all - ofSecond);
  };
  const injected = new WeakSet<Socket>();
  second.prependListener('connection', (socket: Socket) => void injected.add(socket));
  first.on('connection', (socket: Socket) => {
    const isOfSecond = injected.has(socket);
    count(1, isOfSecond);
    socket.once('close', () => count(-1, isOfSecond));
  });
  count(0, true);
}
