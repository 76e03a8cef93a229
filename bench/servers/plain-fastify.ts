/** A Fastify route without anything around it: no key, no database, no log. */
import Fastify from 'fastify';

const headers = JSON.parse(process.env.ANSWER_HEADERS ?? '{}') as Record<string, string>;
const body = Buffer.from(process.env.ANSWER_BODY ?? '', 'base64').toString();
const app = Fastify();
app.get('/*', (_req, reply) => reply.headers(headers).send(body));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));
