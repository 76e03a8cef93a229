import type { FastifyInstance } from 'fastify';

/** Returns a function that finds the methods of a URL among the routes that are registered after this call. */
export function collectMethods(app: FastifyInstance): (url: string) => Set<string> {
  const routes: { parts: string[]; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ parts: url.split('/'), methods: [method].flat() });
  });
  return (url) => {
    const segments = url.split('?', 1)[0]?.split('/') ?? [];
    // Several routes may match a URL, because a prompt may have the same name as a path of the API, such as `batch`.
    return new Set(routes.filter(({ parts }) => matches(parts, segments)).flatMap(({ methods }) => methods));
  };
}

function matches(parts: readonly string[], segments: readonly string[]): boolean {
  const fixed = parts.at(-1) === '*' ? parts.slice(0, -1) : parts;
  if (fixed === parts ? parts.length !== segments.length : segments.length < parts.length) return false;
  return fixed.every((part, at) => part === segments[at] || part.startsWith(':'));
}
