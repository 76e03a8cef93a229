// Receives webhooks from PromptHarbor and verifies them. It requires only Node:
//   WEBHOOK_SECRET=whsec_… node webhook-receiver.js
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET ?? '';
const port = Number(process.env.PORT ?? 4000);
const maxBodyBytes = 64 * 1024;
const toleranceSeconds = 5 * 60;
if (!secret.startsWith('whsec_')) throw new Error('Set WEBHOOK_SECRET to the secret that was shown when the webhook was created');

/** Whether the body comes from PromptHarbor. It must be verified exactly as it arrived, before it is parsed. */
function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  // An old request may have been recorded by someone and sent again.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  // While a secret is being changed, there are two signatures.
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** The ids of the last deliveries, because each may arrive more than once. A real receiver keeps them in its database. */
const seen = new Set();

function receive(headers, body) {
  if (!isSigned(headers, body)) return 401;
  const id = headers['webhook-id'];
  if (seen.has(id)) return 204;
  const { type, timestamp, data } = JSON.parse(body.toString());
  console.log(timestamp, type, data.prompt?.name ?? '');
  seen.add(id);
  if (seen.size > 10_000) seen.delete(seen.values().next().value);
  return 204;
}

const server = createServer((req, res) => {
  const chunks = [];
  let bytes = 0;
  req.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) req.destroy();
    else chunks.push(chunk);
  });
  req.on('end', () => res.writeHead(receive(req.headers, Buffer.concat(chunks))).end());
});
server.listen(port, () => console.log(`Receiving webhooks on port ${server.address().port}`));
