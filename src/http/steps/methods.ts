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
  const known = new Set([...allowed.values()].flatMap((names) => [...names]));
  const findAllowed = createPathMatcher(allowed);

  for (const url of allowed.keys()) {
    const names = findAllowed(url);
    app.route({
      method: [...known].filter((method) => !names.has(method)),
      url,
      // Rejected before the body is parsed, because the method is wrong whatever the body contains.
      onRequest: async (_req, reply) => reject(reply, names),
      handler: () => undefined,
    });
  }

  // Methods that no path has are one route each rather than one for each path: thousands of routes would take a while at each start.
  app.route({
    method: methods.filter((method) => !known.has(method)),
    url: '*',
    onRequest: async (req, reply) => {
      const names = findAllowed(req.url.split('?', 1)[0] ?? '');
      if (names.size === 0) throw new AppError('not_found');
      reject(reply, names);
    },
    handler: () => undefined,
  });
}

function reject(reply: { header(name: string, value: string): unknown }, names: ReadonlySet<string>): never {
  reply.header('allow', [...names].join(', '));
  throw new AppError('method_not_allowed');
}

/** Finds the methods of all paths that lead to a URL: a prompt may be named like a path of ours, such as `batch`. */
function createPathMatcher(allowed: ReadonlyMap<string, ReadonlySet<string>>): (url: string) => Set<string> {
  const paths = [...allowed].map(([path, names]) => ({ parts: path.split('/'), names }));
  return (url) => {
    const segments = url.split('/');
    const found = paths.filter(({ parts }) => matches(parts, segments));
    return new Set(found.flatMap(({ names }) => [...names]));
  };
}

function matches(parts: readonly string[], segments: readonly string[]): boolean {
  const fixed = parts.at(-1) === '*' ? parts.slice(0, -1) : parts;
  if (fixed === parts ? parts.length !== segments.length : segments.length < parts.length) return false;
  return fixed.every((part, at) => part === segments[at] || part.startsWith(':'));
}
