import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts form data. */
    takesForm?: boolean;
  }
}

/** Accepts form data at the routes that take it. Browsers can send form data to any site, so no other route accepts it. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (req: FastifyRequest, body: string) => {
    if (!req.routeOptions.config.takesForm) throw new AppError('unsupported_media_type');
    return Object.fromEntries(new URLSearchParams(body));
  });
}
