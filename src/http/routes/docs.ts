import { extname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { AppError } from '../../errors.ts';
import { readPackageFile } from '../../package-files.ts';
import { wantsPage } from '../middleware/receive.ts';
import {
  compressLater,
  contentTypes,
  createStaticFiles,
  digest,
  type StaticContent,
  sendStatic,
  toStaticContent,
} from '../responses/static-files.ts';
import type { Routes } from './route.ts';

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
 * The build writes this placeholder, and each response replaces it with the origin. The braces make the build quote every URL, because a
 * shell requires quotes around a URL such as `http://[::1]:3000`.
 */
export const originPlaceholder = '{ORIGIN}';
const reference = 'reference.html';

/** The API description for programs and for people, and the guides. */
export const docsRoutes: Routes = ({ app, publicOrigin, createRoute }) => {
  let description: StaticContent | undefined;
  // `npm run build` renders the pages into this folder. Only its files are served.
  const files = createStaticFiles('dist/docs');
  // Most services have one origin, but a client can send any Host header, so the number of cached pages is limited, and only the page of
  // the configured origin is compressed.
  const references = new LRUCache<string, StaticContent>({
    max: 4,
    memoMethod: (origin) => {
      const page = toStaticContent(Buffer.from(files.get(reference).content.toString().replaceAll(originPlaceholder, origin)));
      return publicOrigin === undefined ? page : compressLater(page);
    },
  });

  const route = createRoute({ tag: 'Description', access: 'public' });

  route('GET', '/api/openapi.json', {
    operationId: 'openapi',
    summary: 'Get this API description (OpenAPI 3.1)',
    response: { 200: Type.Unknown() },
    handler: async (req, reply) => {
      description ??= compressLater(toStaticContent(readPackageFile('openapi.json')));
      return sendStatic(req, reply.type('application/json; charset=utf-8'), description);
    },
  });

  app.get('/docs/', async (_req, reply) => reply.redirect('/docs', 301));
  app.get('/docs/guides/', async (_req, reply) => reply.redirect('/docs/guides', 301));

  app.get('/docs', async (req, reply) => {
    if (!files.has(reference)) throw new AppError('not_found', { text: 'The reference is not built. Run: npm run build' });
    const origin = toPlainOrigin(publicOrigin ?? `${req.protocol}://${req.host}`);
    return sendStatic(req, toPage(reply), references.memo(origin));
  });

  app.get('/docs/*', async (req: FastifyRequest<{ Params: { '*': string }; Querystring: { v?: unknown } }>, reply) => {
    const name = [req.params['*'], `${req.params['*']}.html`].find((candidate) => files.has(candidate));
    if (name === undefined || name === reference) {
      if (wantsPage(req)) return reply.callNotFound();
      throw new AppError('not_found');
    }
    const file = files.get(name);
    if (name.endsWith('.html')) return sendStatic(req, toPage(reply), file);
    // The digest in the URL identifies the content, so the content at this URL never changes.
    const caching = req.query.v === file.digest ? 'public, max-age=31536000, immutable' : undefined;
    return sendStatic(req, reply.type(contentTypes[extname(name)] ?? 'application/octet-stream'), file, caching);
  });
};

function toPage(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', pagePolicy)
    .header('cross-origin-opener-policy', 'same-origin')
    .type('text/html; charset=utf-8');
}

/** Returns a URL whose content never changes, so that browsers may cache the asset forever. */
export function docsAssetUrl(name: string, content: string | Buffer): string {
  return `/docs/${name}?v=${digest(content)}`;
}

/**
 * Returns an origin that is safe to show. A host with unusual characters is replaced, because people paste the examples into their shells,
 * and the page is not escaped again.
 */
function toPlainOrigin(origin: string): string {
  const isPlain = /^https?:\/\/(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i.test(origin);
  return isPlain ? origin.toLowerCase() : 'http://localhost:3000';
}
