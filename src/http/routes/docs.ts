import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { AppError } from '../../errors.ts';
import { root } from '../../root.ts';
import { wantsPage } from '../middleware/receive.ts';
import type { Routes } from './route.ts';

const openapiFile = new URL('openapi.json', root);
// The folder into which `npm run build` renders the pages. Only these files are served.
const folder = new URL('dist/docs/', root);

// The page can show the reader's key, so its scripts may send requests only to this service.
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The build writes this placeholder, and each response replaces it with the origin. The braces make the build quote every URL, which
 * `http://[::1]:3000` needs in a shell.
 */
export const originPlaceholder = '{ORIGIN}';
const reference = 'reference.html';

/** The API description for programs and for people, and the guides. */
export const docsRoutes: Routes = ({ app, publicOrigin, createRoute }) => {
  const description = tag(readFileSync(openapiFile));
  const names = new Set(existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(extname).map(toPath) : []);
  const files = new LRUCache<string, Tagged>({ max: 200, fetchMethod: async (name) => tag(await readFile(new URL(name, folder))) });
  // Most services have one origin, but a client can send any Host header, so the number of cached pages is limited.
  const references = new LRUCache<string, Tagged, Tagged>({
    max: 4,
    memoMethod: (origin, _stale, { context }) => tag(Buffer.from(context.content.toString().replaceAll(originPlaceholder, origin))),
  });

  const route = createRoute({ tag: 'Description', access: 'public' });

  route('GET', '/api/openapi.json', {
    operationId: 'openapi',
    summary: 'Get this API description (OpenAPI 3.1)',
    response: { 200: Type.Unknown() },
    handler: async (req, reply) => sendTagged(req, reply.type('application/json; charset=utf-8'), description),
  });

  app.get('/docs/', async (_req, reply) => reply.redirect('/docs', 301));
  app.get('/docs/guides/', async (_req, reply) => reply.redirect('/docs/guides', 301));

  app.get('/docs', async (req, reply) => {
    if (!names.has(reference)) throw new AppError('not_found', { text: 'The reference is not built. Run: npm run build' });
    const origin = toPlainOrigin(publicOrigin ?? `${req.protocol}://${req.host}`);
    const page = references.memo(origin, { context: await files.forceFetch(reference) });
    return sendTagged(req, toPage(reply), page);
  });

  app.get('/docs/*', async (req: FastifyRequest<{ Params: { '*': string }; Querystring: { v?: unknown } }>, reply) => {
    const name = [req.params['*'], `${req.params['*']}.html`].find((candidate) => names.has(candidate));
    if (name === undefined || name === reference) {
      if (wantsPage(req)) return reply.callNotFound();
      throw new AppError('not_found');
    }
    const file = await files.forceFetch(name);
    if (name.endsWith('.html')) return sendTagged(req, toPage(reply), file);
    // The digest in the URL identifies the content, so the content at this URL never changes.
    const caching = req.query.v === file.digest ? 'public, max-age=31536000, immutable' : undefined;
    return sendTagged(req, reply.type(types[extname(name)] ?? 'application/octet-stream'), file, caching);
  });
};

function toPath(name: string): string {
  return name.replaceAll('\\', '/');
}

function toPage(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', pagePolicy)
    .header('cross-origin-opener-policy', 'same-origin')
    .type('text/html; charset=utf-8');
}

const types: Record<string, string> = {
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Returns a URL whose content never changes, so that browsers may cache the asset forever. */
export function docsAssetUrl(name: string, content: string | Buffer): string {
  return `/docs/${name}?v=${digest(content)}`;
}

/** A host with unusual characters is not shown, because people paste the examples into their shells, and the page is not escaped again. */
function toPlainOrigin(origin: string): string {
  const isPlain = /^https?:\/\/(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i.test(origin);
  return isPlain ? origin.toLowerCase() : 'http://localhost:3000';
}

/** Content that is sent often, kept together with its digest. */
interface Tagged {
  content: Buffer;
  digest: string;
}

function tag(content: Buffer): Tagged {
  return { content, digest: digest(content) };
}

function sendTagged(req: FastifyRequest, reply: FastifyReply, { content, digest }: Tagged, caching = 'no-cache'): FastifyReply {
  const etag = `"${digest}"`;
  reply.header('etag', etag).header('cache-control', caching);
  return req.headers['if-none-match'] === etag ? reply.status(304).send() : reply.send(content);
}

function digest(content: string | Buffer): string {
  return hash('sha256', content, 'base64url').slice(0, 22);
}
