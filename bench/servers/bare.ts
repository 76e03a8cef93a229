/** The upper limit for any server: node:http that only sends the same headers and body. */
import { createServer } from 'node:http';

// The headers are copied from a response of PromptHarbor, see ../lib/contenders.ts.
const headers = JSON.parse(process.env.RESPONSE_HEADERS ?? '{}') as Record<string, string>;
const status = Number(process.env.RESPONSE_STATUS ?? 200);
const body = Buffer.from(process.env.RESPONSE_BODY ?? '', 'base64');

const server = createServer((req, res) => {
  const respond = () => {
    res.writeHead(status, headers);
    res.end(body);
  };
  if (process.env.PARSES_BODY === undefined || req.method === 'GET') {
    respond();
    return;
  }
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    respond();
  });
});
server.keepAliveTimeout = 72_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
