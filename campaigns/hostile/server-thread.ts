import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { startHostileServer } from '../../test/support/hostile/servers.ts';

export interface ServerUrls {
  /** A path of it is the name of a hostile behavior. */
  hostile: string;
  /** A model server and a receiver of webhooks that respond at once. */
  friendly: string;
}

/** Starts the servers that the service talks to in a thread of their own, so that their work does not delay those who measure. */
export async function startServers(): Promise<{ urls: ServerUrls; stop(): Promise<void> }> {
  const worker = new Worker(new URL(import.meta.url));
  const [urls] = (await once(worker, 'message')) as [ServerUrls];
  return { urls, stop: async () => void (await worker.terminate()) };
}

if (!isMainThread) {
  const completion = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const friendly = createServer((req, res) => {
    req.resume();
    req.once('end', () => void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(completion));
  }).listen(0, '127.0.0.1');
  await once(friendly, 'listening');
  const { url } = await startHostileServer();
  parentPort?.postMessage({ hostile: url, friendly: `http://127.0.0.1:${(friendly.address() as AddressInfo).port}` });
}
