import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { AppError } from '../../errors.ts';
import { root } from '../../root.ts';
import type { Routes } from './route.ts';

// The description is generated, committed and served as it is; `npm run build` renders the page from it.
const openapiFile = new URL('openapi.json', root);
const pageFile = new URL('dist/docs.html', root);
const builtAssets = ['style.css', 'theme.js', 'script.js', 'inter-latin.woff2', 'inter-latin-ext.woff2'].map((name) => ({
  name,
  file: new URL(`dist/docs/${name}`, root),
}));
const assets = [...builtAssets, { name: 'icon.svg', file: new URL('assets/icon.svg', root) }];

// The page can show the reader's key, so its scripts can send requests only to this service.
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

/** Replaced in the built page by the origin. The braces make the build quote every URL, which `http://[::1]:3000` needs in a shell. */
export const originPlaceholder = '{ORIGIN}';

/** The API's description, for programs and for people. */
export const docsRoutes: Routes = ({ app, publicOrigin, createRoute }) => {
  const description = tag(readFileSync(openapiFile));
  const page = existsSync(pageFile) ? readFileSync(pageFile, 'utf8') : undefined;
  // Most services have one origin, but a client can name any.
  const pages = new LRUCache<string, Tagged, string>({
    max: 4,
    memoMethod: (origin, _stale, { context }) => tag(Buffer.from(context.replaceAll(originPlaceholder, origin))),
  });

  const route = createRoute({ tag: 'Description', access: 'public' });

  route('GET', '/api/openapi.json', {
    operationId: 'openapi',
    summary: 'This description, OpenAPI 3.1',
    response: { 200: Type.Unknown() },
    handler: async (req, reply) => sendTagged(req, reply.type('application/json; charset=utf-8'), description),
  });

  app.get('/docs/', async (_req, reply) => reply.redirect('/docs', 301));

  app.get('/docs', async (req, reply) => {
    if (page === undefined) throw new AppError('not_found', { text: 'The reference is not built. Run: npm run build' });
    reply
      .header('content-security-policy', pagePolicy)
      .header('cross-origin-opener-policy', 'same-origin')
      .type('text/html; charset=utf-8');
    const origin = toPlainOrigin(publicOrigin ?? `${req.protocol}://${req.host}`);
    return sendTagged(req, reply, pages.memo(origin, { context: page }));
  });

  for (const { name, file } of assets.filter((asset) => existsSync(asset.file))) {
    const asset = tag(readFileSync(file));
    app.get(`/docs/${name}`, async (req: FastifyRequest<{ Querystring: { v?: unknown } }>, reply) => {
      // The digest in the URL identifies the content, so it never changes.
      const caching = req.query.v === asset.digest ? 'public, max-age=31536000, immutable' : undefined;
      return sendTagged(req, reply.type(types[extname(name)] ?? 'application/octet-stream'), asset, caching);
    });
  }
};

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The URL under which an asset of the page never changes, so that browsers may keep it forever. */
export function docsAssetUrl(name: string, content: string | Buffer): string {
  return `/docs/${name}?v=${digest(content)}`;
}

/** People paste the examples into their shells, and the page is not escaped again: a host that is not plainly one is not shown. */
function toPlainOrigin(origin: string): string {
  const isPlain = /^https?:\/\/(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i.test(origin);
  return isPlain ? origin.toLowerCase() : 'http://localhost:3000';
}

/** What is sent often, with its digest. */
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
