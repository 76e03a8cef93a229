/** A plain Fastify route without authentication, database or log. */
import Fastify from 'fastify';

const headers = JSON.parse(process.env.RESPONSE_HEADERS ?? '{}') as Record<string, string>;
const status = Number(process.env.RESPONSE_STATUS ?? 200);
const body = Buffer.from(process.env.RESPONSE_BODY ?? '', 'base64').toString();
const app = Fastify();
app.get('/*', (_req, reply) => reply.status(status).headers(headers).send(body));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));
