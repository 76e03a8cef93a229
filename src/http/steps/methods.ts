import { METHODS } from 'node:http';
import { AppError } from '../../errors.ts';
import type { App } from '../fastify.ts';

// All that Node reads; CONNECT never comes to a route.
const methods = METHODS.filter((method) => method !== 'CONNECT');

/** Registers routes, and for each of their paths the answer 405 with `Allow` to every method they leave out. */
export function rejectOtherMethods(app: App, registerRoutes: () => void): void {
  const allowed = new Map<string, Set<string>>();
  let collecting = true;
  app.addHook('onRoute', ({ url, method }) => {
    if (!collecting) return;
    const seen = allowed.get(url) ?? new Set();
    for (const name of [method].flat()) seen.add(name);
    allowed.set(url, seen);
  });
  registerRoutes();
  collecting = false;

  for (const method of methods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);

  for (const [url, seen] of allowed) {
    app.route({
      method: methods.filter((method) => !seen.has(method)),
      url,
      // Answered before the body is looked at: whatever it is, the method is wrong.
      onRequest: async (_req, reply) => {
        reply.header('allow', [...seen].join(', '));
        throw new AppError('method_not_allowed');
      },
      handler: () => undefined,
    });
  }
}
