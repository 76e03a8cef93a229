/** The limit: node:http that sends the same bytes with the same headers and does nothing else. */
import { createServer } from 'node:http';

// Both are written by the bench from an answer of PromptHarbor itself.
const headers = JSON.parse(process.env.ANSWER_HEADERS ?? '{}') as Record<string, string>;
const status = Number(process.env.ANSWER_STATUS ?? 200);
const body = Buffer.from(process.env.ANSWER_BODY ?? '', 'base64');

const server = createServer((_req, res) => {
  res.writeHead(status, headers);
  res.end(body);
});
server.keepAliveTimeout = 72_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
