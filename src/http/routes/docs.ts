import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { OpenApiDocument } from '../../../scripts/docs/document.ts';
import { renderPage } from '../../../scripts/docs/page.ts';
import { root } from '../../root.ts';
import type { Routes } from './route.ts';

// The description is generated, committed and served as it is.
const openapiFile = new URL('openapi.json', root);
const styleFile = new URL('assets/docs.css', root);
const iconFile = new URL('assets/icon.svg', root);

const pagePolicy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const maxPages = 16;

/** The API's description, for programs and for people. */
export const docsRoutes: Routes = (app, { publicOrigin }) => {
  const description = readFileSync(openapiFile, 'utf8');
  const style = readFileSync(styleFile, 'utf8');
  const icon = readFileSync(iconFile, 'utf8');
  const styleVersion = digest(style);
  const findPage = keepPages((origin) =>
    // The file is our own script's work, and a check keeps it so.
    renderPage(JSON.parse(description) as OpenApiDocument, { origin, styleUrl: `/docs/style.css?v=${styleVersion}` }),
  );

  app.get(
    '/api/openapi.json',
    {
      schema: {
        operationId: 'openapi',
        tags: ['Description'],
        summary: 'This description, OpenAPI 3.1',
        response: { 200: Type.Unknown() },
      },
    },
    async (_req, reply) => reply.type('application/json; charset=utf-8').serializer(String).send(description),
  );

  app.get('/docs/', async (_req, reply) => reply.redirect('/docs', 301));

  app.get('/docs', async (req, reply) => {
    reply.header('content-security-policy', pagePolicy).type('text/html; charset=utf-8');
    return sendTagged(req, reply, findPage(publicOrigin ?? originOf(req)));
  });

  app.get('/docs/style.css', { schema: { querystring: Type.Object({ v: Type.Optional(Type.String()) }) } }, async (req, reply) => {
    // Asked for by its digest, the content can never be another.
    if (req.query.v === styleVersion) reply.header('cache-control', 'public, max-age=31536000, immutable');
    return sendTagged(req, reply.type('text/css; charset=utf-8'), style);
  });

  app.get('/docs/icon.svg', async (req, reply) => sendTagged(req, reply.type('image/svg+xml; charset=utf-8'), icon));
};

/** Renders a page once for each address the service is called by. The caller chooses that address, so few are kept. */
function keepPages(render: (origin: string) => string): (origin: string) => string {
  const pages = new Map<string, string>();
  return (origin) => {
    const kept = pages.get(origin);
    if (kept !== undefined) return kept;
    if (pages.size >= maxPages) pages.clear();
    const page = render(origin);
    pages.set(origin, page);
    return page;
  };
}

/** The examples go into people's shells: a Host header that is not plainly a host is not shown. */
function originOf({ protocol, host }: FastifyRequest): string {
  const isPlain = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i.test(host);
  return isPlain ? `${protocol}://${host.toLowerCase()}` : 'http://localhost:3000';
}

function sendTagged(req: FastifyRequest, reply: FastifyReply, content: string): FastifyReply {
  const etag = `"${digest(content)}"`;
  reply.header('etag', etag);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
  return req.headers['if-none-match'] === etag ? reply.status(304).send() : reply.send(content);
}

function digest(content: string): string {
  return hash('sha256', content, 'base64url').slice(0, 22);
}
