import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Target } from './workload.ts';

/** Starts a proxy that does what the service must never do: it caches for a while which keys are valid. */
export async function startCachingProxy(target: Target, rememberMs: number): Promise<Target & { close(): void }> {
  const remembered = new Map<string, { body: string; until: number }>();
  const server = createServer(async (req, res) => {
    const { authorization = '' } = req.headers;
    const known = remembered.get(authorization);
    if (req.method === 'GET' && known && known.until > performance.now()) {
      res.writeHead(200, { 'content-type': 'application/json' }).end(known.body);
      return;
    }
    const body = Buffer.concat(await req.toArray());
    const { method = 'GET', headers } = req;
    const contentType = headers['content-type'];
    const response = await fetch(target.url + req.url, {
      method,
      headers: { ...(authorization && { authorization }), ...(contentType && { 'content-type': contentType }) },
      body: body.length > 0 ? body : null,
    });
    const text = await response.text();
    if (method === 'GET' && response.ok) remembered.set(authorization, { body: text, until: performance.now() + rememberMs });
    res.writeHead(response.status, { 'content-type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
