import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';

export interface ReceivedDelivery {
  id: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body exactly as received. */
  text: string;
  body: { type: string; timestamp: string; data: Record<string, unknown> & { revision: number; prompt?: { id: string; name: string } } };
  /** The number of the request, starting at 0. */
  index: number;
}

export interface Receiver {
  url: string;
  /** Every request, in order of arrival. */
  received: ReceivedDelivery[];
  /** The deliveries to which the receiver responded with a 2xx status. */
  accepted: ReceivedDelivery[];
  /** Resolves when a condition holds. The condition is checked after every request. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Responds to a delivery. A 2xx status accepts the delivery. */
export type Respond = (delivery: ReceivedDelivery, res: ServerResponse, req: IncomingMessage) => void;

/** Starts a real HTTP server that receives webhooks. The server responds with 204 by default. */
export async function startReceiver(respond: Respond = (_delivery, res) => void res.writeHead(204).end()): Promise<Receiver> {
  const received: ReceivedDelivery[] = [];
  const accepted: ReceivedDelivery[] = [];
  const waiting = new Set<() => void>();
  const check = () => {
    for (const resolve of waiting) resolve();
  };
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const delivery = {
        id: String(req.headers['webhook-id']),
        path: req.url ?? '',
        headers: req.headers,
        text,
        body: JSON.parse(text),
        index: received.length,
      };
      received.push(delivery);
      res.on('finish', () => {
        if (res.statusCode >= 200 && res.statusCode < 300) accepted.push(delivery);
        check();
      });
      respond(delivery, res, req);
      check();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);

  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    received,
    accepted,
    async until(condition) {
      while (!condition()) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(resolve);
        await promise;
        waiting.delete(resolve);
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Runs a receiver while `use` runs. */
export async function withReceiver(respond: Respond | undefined, use: (receiver: Receiver) => Promise<void>): Promise<void> {
  const receiver = await startReceiver(respond);
  try {
    await use(receiver);
  } finally {
    await receiver.close();
  }
}

/** Throws unless the official library accepts the signature for this secret. */
export function verifySignature(secret: string, { text, headers }: ReceivedDelivery): void {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  new Webhook(secret).verify(text, Object.fromEntries(names.map((name) => [name, String(headers[name])])));
}
