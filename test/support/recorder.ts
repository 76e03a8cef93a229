import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Upload } from '../../src/domain/results/intake/intake-messages.ts';

interface RecordedRequest {
  path: string;
  headers: NodeJS.Dict<string | string[]>;
  body: Buffer<ArrayBuffer>;
}

/** Starts a server that accepts everything and keeps what it received, to find out what an SDK sends. */
export async function startRecorder() {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (req, res) => {
    const body = Buffer.concat(await Array.fromAsync<Buffer>(req));
    requests.push({ path: req.url ?? '', headers: req.headers, body });
    const isBatch = req.url === '/api/public/ingestion';
    res.writeHead(isBatch ? 207 : 200, { 'content-type': 'application/json' }).end(isBatch ? '{"successes":[],"errors":[]}' : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Turns a recorded request into the upload that the service would read. */
export function toUpload({ path, headers, body }: RecordedRequest): Upload {
  return {
    kind: path.endsWith('/ingestion') ? 'langfuse' : path.endsWith('/logs') ? 'logs' : 'traces',
    format: headers['content-type'] === 'application/x-protobuf' ? 'protobuf' : 'json',
    isCompressed: headers['content-encoding'] === 'gzip',
    body,
  };
}
