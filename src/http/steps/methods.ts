import { METHODS } from 'node:http';
import { AppError } from '../../errors.ts';
import type { App } from '../fastify.ts';

// Every method that Node parses, except CONNECT, which never reaches a route.
const methods = METHODS.filter((method) => method !== 'CONNECT');

/** Registers routes and, for every other method on the same paths, a 405 response with `Allow`. */
export function rejectOtherMethods(app: App, registerRoutes: () => void): void {
  const allowed = new Map<string, Set<string>>();
  let collecting = true;
  app.addHook('onRoute', ({ url, method }) => {
    if (!collecting) return;
    const names = allowed.get(url) ?? new Set();
    for (const name of [method].flat()) names.add(name);
    allowed.set(url, names);
  });
  registerRoutes();
  collecting = false;

  for (const method of methods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);

  for (const [url, own] of allowed) {
    const names = new Set([...own, ...methodsOfGeneralPaths(url, allowed)]);
    app.route({
      method: methods.filter((method) => !names.has(method)),
      url,
      // Rejected before the body is parsed, because the method is wrong whatever the body contains.
      onRequest: async (_req, reply) => {
        reply.header('allow', [...names].join(', '));
        throw new AppError('method_not_allowed');
      },
      handler: () => undefined,
    });
  }
}

/** The methods of paths with a parameter that also lead here: a prompt may be named like a path of ours, such as `batch`. */
function methodsOfGeneralPaths(url: string, allowed: ReadonlyMap<string, Set<string>>): string[] {
  const segments = url.split('/');
  const general = [...allowed].filter(([other]) => {
    const pattern = other.split('/');
    return (
      other !== url && pattern.length === segments.length && pattern.every((part, at) => part === segments[at] || part.startsWith(':'))
    );
  });
  return general.flatMap(([, names]) => [...names]);
}
