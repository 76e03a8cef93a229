import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../domain/context.ts';
import { AppError } from '../../errors.ts';
import { readPackageFile } from '../../package-files.ts';
import { sessionCookieName } from '../middleware/cookies.ts';
import { wantsPage } from '../middleware/receive.ts';
import { contentTypes, createStaticFiles, sendStatic } from '../responses/static-files.ts';
import type { Routes } from './route.ts';

// The folder that `npm run build` creates.
const folder = 'dist/dashboard';
const pages = ['/dashboard', '/dashboard/*', '/login', '/signup', '/reset', '/verify', '/confirm-email', '/cli', '/invitations/*'];
const noncePlaceholder = '__CSP_NONCE__';
const sessionPlaceholder = '__SESSION__';

/** The dashboard: one page for all its URLs, and its assets. It uses the same REST API as every other caller. */
export const dashboardRoutes: Routes = ({ app, ctx }) => {
  app.get('/', async (_req, reply) => reply.header('cache-control', 'no-cache').redirect('/dashboard'));

  const files = createStaticFiles(folder);
  const page = files.has('index.html') ? readPackageFile(`${folder}/index.html`).toString() : undefined;
  const findSession = createFindSession(ctx);
  const send = async (req: FastifyRequest, reply: FastifyReply) => {
    if (page === undefined) throw new AppError('not_found', { text: 'The dashboard is not built. Run: npm run build' });
    return sendPage(reply, page, await findSession(req));
  };
  for (const url of pages) app.get(url, send);
  app.setNotFoundHandler((req, reply) => send(req, reply.status(404)));
  if (page === undefined) return;

  app.get('/dashboard/assets/*', async (req: FastifyRequest<{ Params: { '*': string } }>, reply) => {
    const name = `assets/${req.params['*']}`;
    if (!files.has(name)) {
      // A page of an older build may request an asset that no longer exists. Such a request must never get HTML in place of a script.
      if (wantsPage(req)) return reply.callNotFound();
      throw new AppError('not_found');
    }
    // The name contains a hash of the content, so it can be cached forever.
    const type = contentTypes[extname(name)] ?? 'application/octet-stream';
    return sendStatic(req, reply.type(type), files.get(name), 'public, max-age=31536000, immutable');
  });
};

function sendPage(reply: FastifyReply, page: string, session: string): FastifyReply {
  // The editor and the dialogs insert style elements. The policy allows only style elements that have the nonce.
  const nonce = randomBytes(16).toString('base64');
  return reply
    .header('content-security-policy', policyWith(nonce))
    .header('cache-control', 'no-cache')
    .header('cross-origin-opener-policy', 'same-origin')
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(noncePlaceholder, nonce).replace(sessionPlaceholder, session));
}

/**
 * Scripts cannot read the session cookie, so the page states whether the browser sent one. This saves a request that would return 401. If
 * anyone may register and there are no accounts yet, the page starts with the registration of the first account.
 */
function createFindSession({ store, registration }: Context) {
  let mayBeEmpty = registration === 'open';
  return async function findSession({ headers }: FastifyRequest): Promise<'possible' | 'none' | 'no-accounts'> {
    // The database is queried only until the first account exists. The page must also load while the database is unavailable.
    const exist = !mayBeEmpty || (await store.accounts.existAny().catch(() => undefined));
    if (exist) mayBeEmpty = false;
    if (exist === false) return 'no-accounts';
    return headers.cookie?.includes(`${sessionCookieName}=`) ? 'possible' : 'none';
  };
}

function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
